import { createStore } from 'zustand/vanilla'
import { storedAccount } from '../api/session.ts'
import { perCache } from '../sync/per-cache.ts'

type OpenNotes = {
  /** The notes that could not be saved, and since when, in milliseconds. */
  unsaved: readonly { id: string; since: number }[]
  /** Writes the drafts: what was just typed may not be in one yet. */
  keepDrafts: () => void
}

/** The notes that are open on the dashboard with this cache, for those parts of it that do not load the code of notes. */
export const openNotesOf = perCache(() => createStore<OpenNotes>(() => ({ unsaved: [], keepDrafts() {} })))

/** The prefix of the keys of an account's drafts in local storage. */
export const draftPrefix = (account = storedAccount()) => `note-draft ${account} `

/** The drafts of this account's notes that were typed in this browser and that the server does not have yet, as JSON. */
export const unsentDrafts = (): string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(draftPrefix()))
    .map((key) => localStorage.getItem(key) ?? '')

/** Their texts. */
export const unsentTexts = (): string[] => unsentDrafts().map(textIn)

function textIn(draft: string): string {
  try {
    return String(JSON.parse(draft).text)
  } catch {
    return ''
  }
}
