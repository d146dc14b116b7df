import { tokenKey } from '#contract/limits.ts'

/** The token of this page's calls so far. Another tab may have stored a different one since. */
let tokenInUse: string | null = null

/** Whether this page has shown a dashboard: from then on it belongs to the session of its token, for as long as it exists. */
let hasDashboard = false

/** Whether another document is loading in place of this page. */
let isLeaving = false

/** The token of the person signed in here, if there is one (specification section 3, Session). */
export const storedToken = (): string | null => localStorage.getItem(tokenKey)

/** The leading characters of a token, which are the same for all sessions of a user. */
const accountLength = 21

/** The part of the token that all sessions of the signed-in user share; it does not reveal the token. */
export const storedAccount = (): string | undefined => storedToken()?.slice(0, accountLength)

/** The account of this page's dashboard, or of the signed-in user as long as there was none. */
export const ownAccount = (): string | undefined =>
  ((hasDashboard ? tokenInUse : null) ?? storedToken())?.slice(0, accountLength)

/** Binds this page to the session that is stored now, unless it already shows the dashboard of one. */
export function beginDashboard(): void {
  if (!hasDashboard) tokenInUse = storedToken()
  hasDashboard = true
}

/** The local storage key of who was signed in last: the account and the email, which stay until a logout. */
const personKey = 'person'

/** Stores the token of a login. What an earlier dashboard of this page still has in memory is never sent with it. */
export function storeToken(token: string, email: string): void {
  if (!hasDashboard) tokenInUse = token
  localStorage.setItem(tokenKey, token)
  localStorage.setItem(personKey, `${storedAccount()} ${email}`)
}

/** Removes a token that the server rejects. Drafts stay, for the next session of the same account. */
export function removeToken(): void {
  const account = storedAccount()
  const isKnown = localStorage.getItem(personKey)?.startsWith(`${account} `)
  // Of a session that an earlier build has stored, the email is not known.
  if (account !== undefined && !isKnown) localStorage.setItem(personKey, `${account} `)
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

/**
 * Whether this page may send nothing more: its session was replaced by another one, which may be another person's, or the session of its
 * dashboard has ended, also in another tab.
 */
export function isSessionOver(): boolean {
  const token = storedToken()
  return isLeaving || (tokenInUse !== null && token !== tokenInUse && (token !== null || hasDashboard))
}

/**
 * Loads another document in place of this page. All documents, timers, listeners and calls of the session end with this one, so that
 * none of them can reach the next session.
 */
export function leaveFor(path: '/' | '/dashboard'): void {
  isLeaving = true
  const load = () => location.replace(path)
  // Otherwise the browser would report the load of this page as failed to who asked for it.
  if (document.readyState === 'complete') load()
  else window.addEventListener('load', () => setTimeout(load), { once: true })
}

/** Leaves the session that is over: for the dashboard of another one, if its token is stored. */
export function leaveSession(): void {
  if (storedToken() === null) forgetTab()
  leaveFor(storedToken() === null ? '/' : '/dashboard')
}
