import { hrefOf } from '#contract/addresses.ts'
import { destinationOf } from '#contract/link-target.ts'

export type ItemAddress = { kind: 'note' | 'task'; id: string }

export type NoteAddress = ItemAddress | { kind: 'page'; href: string }

const item = /^(note|task):([0-9a-f-]{36})$/i
/** The target of a link. Other schemes, such as `javascript:`, lead nowhere. */
export function addressOf(destination: string): NoteAddress | undefined {
  const text = destinationOf(destination.replace(/^<(.*)>$/, '$1'))
  const [, kind, id] = item.exec(text) ?? []
  if (kind !== undefined && id !== undefined)
    return { kind: kind.toLowerCase() as 'note' | 'task', id: id.toLowerCase() }
  const href = hrefOf(text)
  return href === undefined ? undefined : { kind: 'page', href }
}

/** The note of a dashboard address, on any server. */
export const noteIdIn = (address: URL) => /^\/dashboard\/notes\/([0-9a-f-]{36})$/.exec(address.pathname)?.[1]

export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/\S+$/i.test(text) && !/[<>]/.test(text) && URL.canParse(text)
