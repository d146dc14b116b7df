import { tokenKey } from '#contract/limits.ts'

/** The token of this page's calls so far. Another tab may have stored a different one since. */
let tokenInUse: string | null = null

/** The token of the person signed in here, if there is one (specification section 3, Session). */
export const storedToken = (): string | null => localStorage.getItem(tokenKey)

/** The leading characters of a token, which are the same for all sessions of a user. */
const accountLength = 21

/** The part of the token that all sessions of the signed-in user share; it does not reveal the token. */
export const storedAccount = (): string | undefined => storedToken()?.slice(0, accountLength)

/** The local storage key of who was signed in last: the account and the email, which stay until a logout. */
const personKey = 'person'

export function storeToken(token: string, email: string): void {
  tokenInUse = token
  localStorage.setItem(tokenKey, token)
  localStorage.setItem(personKey, `${storedAccount()} ${email}`)
}

/** Removes a token that the server rejects. Drafts stay, for the next session of the same account. */
export function removeToken(): void {
  const account = storedAccount()
  const isKnown = localStorage.getItem(personKey)?.startsWith(`${account} `)
  // Of a session that an earlier build has stored, the email is not known.
  if (account !== undefined && !isKnown) localStorage.setItem(personKey, `${account} `)
  tokenInUse = null
  localStorage.removeItem(tokenKey)
}

/** The email of the person whose session the server has ended in this browser; undefined if it has ended none, `''` if it is not known. */
export function endedEmail(): string | undefined {
  return storedToken() === null ? localStorage.getItem(personKey)?.slice(accountLength + 1) : undefined
}

/** Whether the server has ended the session that was open in this browser. */
export const hasSessionEnded = (): boolean => endedEmail() !== undefined

/** Removes the data of the session that only this tab has. */
export const forgetTab = (): void => sessionStorage.clear()

/** Removes the session and all other data that the browser keeps for it. */
export function endSession(): void {
  tokenInUse = null
  forgetTab()
  localStorage.clear()
  emptyDevice()
}

/** The name of the database in which this device keeps tasks and notes of the account. */
export const deviceDatabase = 'daymark'

/** Deletes the database of this device. Pages that have it open close it. */
export function emptyDevice(): void {
  try {
    globalThis.indexedDB?.deleteDatabase(deviceDatabase)
  } catch {
    // A browser that blocks storage has stored nothing.
  }
}

/** The stored token, for a call. From now on this page belongs to its session. */
export function tokenForCall(): string | null {
  const token = storedToken()
  if (token !== null) tokenInUse = token
  return token
}

/** Whether another tab has stored the token of another session, which may be another person's. */
export function isSessionReplaced(): boolean {
  const token = storedToken()
  return tokenInUse !== null && token !== null && token !== tokenInUse
}

/** Loads the dashboard of the session that is stored now, another one: nothing in the memory of this page is kept. */
export const startAfresh = (): void => location.replace('/dashboard')
