import { tokenKey } from '#contract/limits.ts'

/** The token of this page's calls so far. Another tab may have stored a different one since. */
let tokenInUse: string | null = null

/** The token of the person signed in here, if there is one (specification section 3, Session). */
export const storedToken = (): string | null => localStorage.getItem(tokenKey)

export function storeToken(token: string): void {
  tokenInUse = token
  localStorage.setItem(tokenKey, token)
}

export function removeToken(): void {
  tokenInUse = null
  localStorage.removeItem(tokenKey)
}

/** Forgets the session and everything else that the browser keeps for it. */
export function endSession(): void {
  tokenInUse = null
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
