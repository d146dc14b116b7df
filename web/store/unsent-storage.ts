import { hasSessionEnded, storedAccount } from '../api/session.ts'

/**
 * What this browser keeps until the server has it: changes, texts of notes that are being written, and what was typed into forms. It is in
 * local storage, each value under a key of its own, so that tabs do not overwrite each other's.
 */
const kinds = ['outbox', 'note-draft', 'draft'] as const

/** The key of a value, or without a name the beginning of the keys of all values of this kind. */
export const unsentKey = (kind: (typeof kinds)[number], account: string | undefined, name = '') =>
  `${kind} ${account} ${name}`

/** The value with this key, unless there is none or it is damaged. */
export function unsentAt<Value>(key: string): Value | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** The values whose keys begin like this, by key. */
export const unsentUnder = <Value>(prefix: string): [key: string, value: Value][] =>
  Object.keys(localStorage).flatMap((key) => {
    const value = key.startsWith(prefix) ? unsentAt<Value>(key) : undefined
    return value === undefined ? [] : [[key, value]]
  })

const isOwn = (key: string) => kinds.some((kind) => key.startsWith(unsentKey(kind, storedAccount())))

/**
 * Keeps a value. Returns false if the browser has no space for it. After a logout nothing is kept, and after another login nothing of
 * the earlier account. What is typed after the server has ended the session waits for the next one.
 */
export function keepUnsent(key: string, value: object): boolean {
  if (!isOwn(key) && !hasSessionEnded()) return true
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch (error) {
    console.warn(error)
    return false
  }
}

export const dropUnsent = (key: string): void => localStorage.removeItem(key)

/** How many values this browser keeps for other accounts, whose sessions have ended. Logging out removes them. */
export const countOfOthers = (): number =>
  Object.keys(localStorage).filter((key) => kinds.some((kind) => key.startsWith(`${kind} `)) && !isOwn(key))
    .length
