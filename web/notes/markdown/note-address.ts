import { hrefOf } from '#contract/addresses.ts'
import { destinationOf } from '#contract/link-target.ts'

export type ItemAddress = { kind: 'note' | 'task'; id: string }

/** Where a link in a note leads: to a note or a task, or to an address of an allowed scheme. */
export type NoteAddress = ItemAddress | { kind: 'page'; href: string }

const item = /^(note|task):([0-9a-f-]{36})$/i
/** Reads the destination of a link. One with another scheme, such as `javascript:`, leads nowhere. */
export function addressOf(destination: string): NoteAddress | undefined {
  const text = destinationOf(destination.replace(/^<(.*)>$/, '$1'))
  const [, kind, id] = item.exec(text) ?? []
  if (kind !== undefined && id !== undefined)
    return { kind: kind.toLowerCase() as 'note' | 'task', id: id.toLowerCase() }
  const href = hrefOf(text)
  return href === undefined ? undefined : { kind: 'page', href }
}

/** The id of the note that this address of the dashboard shows, on any server. */
export const noteIdIn = (address: URL): string | undefined =>
  /^\/dashboard\/notes\/([0-9a-f-]{36})$/.exec(address.pathname)?.[1]

/** Whether this text is one web address, as it is copied from a browser. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/\S+$/i.test(text) && !/[<>]/.test(text) && URL.canParse(text)
