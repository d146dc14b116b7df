import { isBlank } from '#contract/blank.ts'
import { searchedTexts } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import { itemId } from '../../api/random-id.ts'
import { ownAccount } from '../../api/session.ts'
import { dropUnsent, keepUnsent, unsentAt, unsentKey, unsentUnder } from './unsent-storage.ts'

/**
 * The text that was typed into the Add dialog, the quick line or the Edit dialog, and when. `base` is the version of the task
 * that was edited.
 */
export type Draft = {
  values: Partial<Required<TaskValues>>
  base?: Task
  at: number
  /** Whether the next form takes it without being asked. */
  isWanted?: boolean
}

/** A draft and its key in local storage, which logging out clears. */
export type KeptDraft = Draft & { key: string }

/** The oldest are dropped when an account has more in this browser. */
const mostDrafts = 20

/** The key of a new draft; undefined without a session. `place`: `add`, `quick`, or the id of the task that is edited. */
export const newDraftKey = (place: string): string | undefined =>
  ownAccount() && unsentKey('draft', ownAccount(), `${place} ${itemId(Date.now())}`)

/**
 * The id of an addition and of its task, which is sent as `Idempotency-Key`. The same draft with the same text has the same id,
 * so that the task is added once. After the text was edited the id is another one, because the server does not compare texts.
 * Without a key, the id is new.
 */
export function idOf(key: string | undefined, typed: string): string {
  const id = key?.slice(key.lastIndexOf(' ') + 1) ?? itemId(Date.now())
  const end = (Number.parseInt(id.slice(-8), 16) ^ hashOf(typed)) >>> 0
  return id.slice(0, -8) + end.toString(16).padStart(8, '0')
}

/** FNV-1a of the UTF-16 code units. `crypto.subtle` does not exist on pages that are served over plain HTTP. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

/** The drafts of the signed-in account in this browser, newest first. If a place is given, only the drafts of this place. */
export const keptDrafts = (place = ''): KeptDraft[] =>
  unsentUnder<Draft>(unsentKey('draft', ownAccount(), place && `${place} `))
    .map(([key, draft]) => ({ ...draft, key }))
    .sort((one, other) => other.at - one.at)

/** Keeps a draft. Returns false if the storage is full: then the text is only in its form. */
export function keepDraft(key: string, draft: Draft): boolean {
  const isOwn = key.startsWith(unsentKey('draft', ownAccount()))
  if (isOwn && !unsentAt(key)) for (const { key } of keptDrafts().slice(mostDrafts - 1)) dropUnsent(key)
  return keepUnsent(key, draft)
}

const longestName = 60

/** The beginning of its title, or of its first other text. */
export function nameOf({ values }: KeptDraft): string {
  const [text = 'no title'] = searchedTexts(taskFields, values).flatMap((each) =>
    isBlank(each ?? '') ? [] : (each?.trim() ?? []),
  )
  const start = [...text.slice(0, 2 * longestName)].slice(0, longestName).join('')
  return start.length < text.length ? `${start}…` : text
}
