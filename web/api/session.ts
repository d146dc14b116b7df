import { tokenKey } from '#contract/limits.ts'

/** The token of the person signed in here, if there is one (specification section 3, Session). */
export const storedToken = (): string | null => localStorage.getItem(tokenKey)

export const storeToken = (token: string): void => localStorage.setItem(tokenKey, token)

export const removeToken = (): void => localStorage.removeItem(tokenKey)
