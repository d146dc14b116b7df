import type { Task, TaskValues } from '#contract/tasks.ts'
import { parsed } from '../../api/client.ts'
import { itemId } from '../entry.ts'
import type { Needs } from '../needs.ts'
import { isUnsentValue, type UnsentKind, unsentKinds } from './unsent-values.ts'

export type Unsent = ReturnType<typeof createUnsent>

type Parts = Pick<Needs, 'account' | 'local' | 'isOver' | 'hasEnded'>

/** Keeps everything unsent in local storage. Each value has its own key, so that tabs do not overwrite each other's values. */
export function createUnsent({ account, local, isOver, hasEnded }: Parts) {
  /** The key of a value, or without a name the prefix of all keys of this kind. */
  const key = (kind: UnsentKind, name = '') => `${kind} ${account} ${name}`

  const isOwn = (name: string) => unsentKinds.some((kind) => name.startsWith(key(kind)))

  /** The values of this page, which need no check, as text. */
  const own = new Map<string, string>()

  function at<Value>(name: string): Value | undefined {
    const text = local.getItem(name)
    return text !== null && text === own.get(name) ? JSON.parse(text) : unsentIn<Value>(name, text)
  }

  return {
    key,
    at,

    under: <Value>(prefix: string): [key: string, value: Value][] =>
      Object.keys(local).flatMap((name) => {
        const value = name.startsWith(prefix) ? at<Value>(name) : undefined
        return value === undefined ? [] : [[name, value]]
      }),

    /** The keys of damaged values. They stay until a person discards them. */
    damaged: (): string[] => Object.keys(local).filter((name) => isOwn(name) && at(name) === undefined),

    /** Returns false if the storage is full. Keeps nothing after a logout, but what is typed after the server has ended the session. */
    keep(name: string, value: object): boolean {
      // Without a session nothing is kept, because anyone may open the next one.
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

    /** The number of values of other accounts, whose sessions have ended. A logout removes them. */
    countOfOthers: (): number =>
      Object.keys(local).filter(
        (name) => unsentKinds.some((kind) => name.startsWith(`${kind} `)) && !isOwn(name),
      ).length,
  }
}

/** The text of the Add dialog, the quick line or the Edit dialog. `base`: the task that was edited. */
type Draft = {
  values: Partial<Required<TaskValues>>
  base?: Task
  at: number
  isWanted?: boolean
}

export type KeptDraft = Draft & { key: string }

/** The most drafts of an account. Older ones are dropped. */
const mostDrafts = 20

export type FormDrafts = ReturnType<typeof createFormDrafts>

export function createFormDrafts(unsent: Unsent, { account }: Pick<Needs, 'account'>) {
  const all = (place = ''): KeptDraft[] =>
    unsent
      .under<Draft>(unsent.key('draft', place && `${place} `))
      .map(([key, draft]) => ({ ...draft, key }))
      .sort((one, other) => other.at - one.at)

  return {
    all,

    /** The key of a new draft; undefined without a session. `place`: `add`, `quick`, or the id of the edited task. */
    newKey: (place: string): string | undefined =>
      account && unsent.key('draft', `${place} ${itemId(Date.now())}`),

    /** Keeps a draft. Returns false if the storage is full. */
    keep(key: string, draft: Draft): boolean {
      if (!unsent.at(key)) for (const { key } of all().slice(mostDrafts - 1)) unsent.drop(key)
      return unsent.keep(key, draft)
    },
  }
}

export function unsentIn<Value>(key: string, text: string | null): Value | undefined {
  if (text === null) return
  const value = parsed(text)
  const isNamed =
    !key.startsWith('outbox ') || key.endsWith(` ${(value as { mutation?: unknown })?.mutation}`)
  const kind = key.slice(0, key.indexOf(' ')) as UnsentKind
  return isNamed && isUnsentValue(kind, value) ? (value as Value) : undefined
}
