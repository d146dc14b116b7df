import { createListeners } from './listeners.ts'
import { intentKey as key, ownAccount, storedValue } from './session.ts'

/** A person wants to write a note that begins with `text`. A visitor has no account yet. */
type Intent = { text: string; account?: string | undefined }

/** A visitor pressed Write a Note, or another program shared a text. It is kept for this tab and one account, until a logout. */
const keep = (intent: Intent): void => sessionStorage.setItem(key, JSON.stringify(intent))

const intents = createListeners()

/** Calls the listener after the intent was remembered or forgotten. Returns the function that stops it. */
export const onNoteIntent = intents.subscribe

export function rememberNoteIntent(text = '') {
  keep({ text, account: ownAccount() })
  intents.tell()
}

/** The text of this account's intent, or null. The first account that reads a visitor's intent gets it. */
export function noteIntent(): string | null {
  const intent = storedValue<Intent>(sessionStorage, key)
  if (!intent) return null
  const account = ownAccount()
  if (intent.account === undefined && account !== undefined) keep({ ...intent, account })
  return intent.account === undefined || intent.account === account ? intent.text : null
}

/** The first note fulfils a visitor's intent. A shared text stays until it is used. */
export function noteBegun() {
  if (noteIntent() === '') forgetNoteIntent()
}

export function forgetNoteIntent() {
  sessionStorage.removeItem(key)
  intents.tell()
}
