import { intentKey as key, ownAccount } from './session.ts'
import { storedValue } from './stored-value.ts'

/** That a person wants to write a note, and the text with which it begins. A visitor has no account yet. */
type Intent = { text: string; account?: string | undefined }

/**
 * Remembers that a person wants to write a note, which the dashboard then offers. A visitor pressed Write a Note, which leads
 * to the login and then to the dashboard, or another program shared a text. Kept for this tab and for one account, until a
 * logout.
 */
const keep = (intent: Intent): void => sessionStorage.setItem(key, JSON.stringify(intent))

export const rememberNoteIntent = (text = ''): void => keep({ text, account: ownAccount() })

/** The text of this account's intent, or null without one. That of a visitor becomes the intent of the first account that looks. */
export function noteIntent(): string | null {
  const intent = storedValue<Intent>(sessionStorage, key)
  if (!intent) return null
  const account = ownAccount()
  if (intent.account === undefined && account !== undefined) keep({ ...intent, account })
  return intent.account === undefined || intent.account === account ? intent.text : null
}

/** The first note fulfils the intent of a visitor. A shared text stays until it is used. */
export function noteBegun() {
  if (noteIntent() === '') forgetNoteIntent()
}

export const forgetNoteIntent = (): void => sessionStorage.removeItem(key)
