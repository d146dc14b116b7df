import { storedAccount } from '../api/session.ts'

/** The text that was typed into a new note before its field was rendered. */
let held: { account: string | undefined; text: string } | undefined

export function keepTyped(text: string) {
  if (text) held = { account: storedAccount(), text }
}

/** Returns it once, and only to the account that typed it. */
export function takeTyped(): string {
  const text = held?.account === storedAccount() ? held?.text : undefined
  held = undefined
  return text ?? ''
}
