import { hasSessionEnded, isSessionOver, ownAccount } from '../../api/session.ts'
import { isUnsentValue, type UnsentKind, unsentKinds } from './unsent-values.ts'

/**
 * Changes, texts of notes and texts of forms stay in local storage until the server has them. Each value has a key of its own,
 * so that tabs do not overwrite each other's values.
 */
/** The key of a value. Without a name, the beginning of the keys of all values of this kind. */
export const unsentKey = (kind: UnsentKind, account: string | undefined, name = '') =>
  `${kind} ${account} ${name}`

/** The value with this key as it was stored, if it can be read. `damagedUnsent` has the keys of the others. */
export const unsentAt = <Value>(key: string): Value | undefined =>
  unsentIn<Value>(key, localStorage.getItem(key))

/** The value that is stored as this text. */
export function unsentIn<Value>(key: string, text: string | null): Value | undefined {
  const value = parsed(text)
  const isNamed =
    !key.startsWith('outbox ') || key.endsWith(` ${(value as { mutation?: unknown })?.mutation}`)
  const kind = key.slice(0, key.indexOf(' ')) as UnsentKind
  return isNamed && isUnsentValue(kind, value) ? (value as Value) : undefined
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
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

/** The keys of this account's values that the page cannot read. They stay until a person discards them. */
export const damagedUnsent = (): string[] =>
  Object.keys(localStorage).filter((key) => isOwn(key) && unsentAt(key) === undefined)

const isOf = (account: string | undefined, key: string): boolean =>
  unsentKinds.some((kind) => key.startsWith(unsentKey(kind, account)))

const isOwn = (key: string) => isOf(ownAccount(), key)

/**
 * Keeps a value. Returns false if the browser has no space for it. After a logout nothing is kept, and after another login nothing of
 * the earlier account. What is typed after the server has ended the session waits for the next one.
 */
export function keepUnsent(key: string, value: object): boolean {
  // Of a dashboard without a session nothing is kept: anyone may open the next one.
  if (isOf(undefined, key)) return true
  if ((isSessionOver() || !isOwn(key)) && !hasSessionEnded()) return true
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
  Object.keys(localStorage).filter(
    (key) => unsentKinds.some((kind) => key.startsWith(`${kind} `)) && !isOwn(key),
  ).length
