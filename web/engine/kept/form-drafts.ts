import type { Task, TaskValues } from '#contract/tasks.ts'
import { itemId } from '../../api/random-id.ts'
import type { Needs } from '../needs.ts'
import type { Unsent } from './unsent-storage.ts'

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

/** The drafts of forms of an account in this browser. */
export function createFormDrafts(unsent: Unsent, { account }: Pick<Needs, 'account'>) {
  /** Newest first. If a place is given, only the drafts of this place. */
  const all = (place = ''): KeptDraft[] =>
    unsent
      .under<Draft>(unsent.key('draft', place && `${place} `))
      .map(([key, draft]) => ({ ...draft, key }))
      .sort((one, other) => other.at - one.at)

  return {
    all,

    /** The key of a new draft; undefined without a session. `place`: `add`, `quick`, or the id of the task that is edited. */
    newKey: (place: string): string | undefined =>
      account && unsent.key('draft', `${place} ${itemId(Date.now())}`),

    /** Keeps a draft. Returns false if the storage is full: then the text is only in its form. */
    keep(key: string, draft: Draft): boolean {
      if (!unsent.at(key)) for (const { key } of all().slice(mostDrafts - 1)) unsent.drop(key)
      return unsent.keep(key, draft)
    },
  }
}

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

export type FormDrafts = ReturnType<typeof createFormDrafts>
