import { tokenKey } from '#contract/limits.ts'

/** The token of this page's calls so far. Another tab may have stored a different one since. */
let tokenInUse: string | null = null

/** Whether the server has ended the session that was open in this page. */
let hasEnded = false
export const hasSessionEnded = (): boolean => hasEnded

/** The token of the person signed in here, if there is one (specification section 3, Session). */
export const storedToken = (): string | null => localStorage.getItem(tokenKey)

/** The leading characters of a token, which are the same for all sessions of a user. */
const accountLength = 21

/** What all sessions of the signed-in user have in common; does not reveal the token. */
export const storedAccount = (): string | undefined => storedToken()?.slice(0, accountLength)

export function storeToken(token: string): void {
  tokenInUse = token
  hasEnded = false
  localStorage.setItem(tokenKey, token)
}

/** Forgets a token that the server rejects. What was typed stays, for the next session of the same account. */
export function removeToken(): void {
  hasEnded = storedToken() !== null
  tokenInUse = null
  localStorage.removeItem(tokenKey)
}

/** Forgets what this tab alone keeps for the session. */
export const forgetTab = (): void => sessionStorage.clear()

/** Forgets the session and everything else that the browser keeps for it. */
export function endSession(): void {
  tokenInUse = null
  hasEnded = false
  forgetTab()
  localStorage.clear()
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

/** Loads the dashboard of the session that is stored now. What this page holds belongs to the other and is dropped. */
export const startAfresh = (): void => location.replace('/dashboard')
