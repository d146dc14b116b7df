import type { Task, TaskValues } from '#contract/tasks.ts'
import { parsed } from '../../api/client.ts'
import { itemId } from '../entry.ts'
import type { Needs } from '../needs.ts'
import { isUnsentValue, type UnsentKind, unsentKinds } from './unsent-values.ts'

export type Unsent = ReturnType<typeof createUnsent>

type Parts = Pick<Needs, 'account' | 'local' | 'isOver' | 'hasEnded'>

/**
 * Changes, texts of notes and texts of forms stay in local storage until the server has them. Each value has a key of its own,
 * so that tabs do not overwrite each other's values.
 */
export function createUnsent({ account, local, isOver, hasEnded }: Parts) {
  /** The key of a value. Without a name, the beginning of the keys of all values of this kind. */
  const key = (kind: UnsentKind, name = '') => `${kind} ${account} ${name}`

  const isOwn = (name: string) => unsentKinds.some((kind) => name.startsWith(key(kind)))

  /** What this page has stored, by key. */
  const own = new Map<string, string>()

  /** The value with this key as it was stored, if it can be read. `damaged` has the keys of the others. */
  function at<Value>(name: string): Value | undefined {
    const text = local.getItem(name)
    // What this page has stored itself needs no check.
    return text !== null && text === own.get(name) ? JSON.parse(text) : unsentIn<Value>(name, text)
  }

  return {
    key,
    at,

    /** The values whose keys begin like this, by key. */
    under: <Value>(prefix: string): [key: string, value: Value][] =>
      Object.keys(local).flatMap((name) => {
        const value = name.startsWith(prefix) ? at<Value>(name) : undefined
        return value === undefined ? [] : [[name, value]]
      }),

    /** The keys of this account's values that the page cannot read. They stay until a person discards them. */
    damaged: (): string[] => Object.keys(local).filter((name) => isOwn(name) && at(name) === undefined),

    /**
     * Keeps a value. Returns false if the browser has no space for it. After a logout nothing is kept, and after another login nothing of
     * the earlier account. What is typed after the server has ended the session waits for the next one.
     */
    keep(name: string, value: object): boolean {
      // Of a dashboard without a session nothing is kept: anyone may open the next one.
      if (account === undefined || (isOver() && !hasEnded())) return true
      try {
        const text = JSON.stringify(value)
        local.setItem(name, text)
        own.set(name, text)
        return true
      } catch (error) {
        console.warn(error)
        return false
      }
    },

    drop(name: string): void {
      local.removeItem(name)
      own.delete(name)
    },

    /** How many values this browser keeps for other accounts, whose sessions have ended. Logging out removes them. */
    countOfOthers: (): number =>
      Object.keys(local).filter(
        (name) => unsentKinds.some((kind) => name.startsWith(`${kind} `)) && !isOwn(name),
      ).length,
  }
}

/**
 * The text that was typed into the Add dialog, the quick line or the Edit dialog, and when. `base` is the version of the task
 * that was edited.
 */
type Draft = {
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

export type FormDrafts = ReturnType<typeof createFormDrafts>

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

/** The value that is stored as this text. */
export function unsentIn<Value>(key: string, text: string | null): Value | undefined {
  if (text === null) return
  const value = parsed(text)
  const isNamed =
    !key.startsWith('outbox ') || key.endsWith(` ${(value as { mutation?: unknown })?.mutation}`)
  const kind = key.slice(0, key.indexOf(' ')) as UnsentKind
  return isNamed && isUnsentValue(kind, value) ? (value as Value) : undefined
}
