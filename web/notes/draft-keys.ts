import { storedAccount } from '../api/session.ts'

/** The prefix of the keys of an account's drafts in local storage. */
export const draftPrefix = (account = storedAccount()) => `note-draft ${account} `

/** The texts of this account's notes that were typed in this browser and that the server does not have yet. */
export function unsentTexts(): string[] {
  const prefix = draftPrefix()
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => textIn(localStorage.getItem(key)))
}

function textIn(draft: string | null): string {
  try {
    return String(JSON.parse(draft ?? '').text)
  } catch {
    return ''
  }
}
