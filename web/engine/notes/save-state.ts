import { problemFrom } from '../../api/client.ts'
import { createListeners } from '../sync/listeners.ts'
import type { NoteText } from './note-text.ts'

export type SaveState =
  | { is: 'new' | 'saved' | 'unsaved' | 'saving' }
  /** `isSentLater`: the browser keeps it, and the same text can be saved later. */
  | { is: 'failed'; reason: string; isSentLater: boolean }
  /** Deleted elsewhere: to Recently deleted, or for good. */
  | { is: 'gone'; canRestore: boolean }

export type ShownState = ReturnType<typeof createSaveState>

/** The state of saving a note, as the page shows it. */
export function createSaveState(text: NoteText) {
  const listeners = createListeners()
  let state: SaveState = { is: savedState(text) }
  return {
    now: () => state,
    isGone: () => state.is === 'gone',
    show(next: SaveState) {
      state = next
      listeners.tell()
    },
    subscribe: listeners.subscribe,
    clear: listeners.clear,
  }
}

/** The state when there is nothing to save. */
export const savedState = (text: NoteText) => (text.stored().version === 0 ? 'new' : 'saved')

/** Why a text was not saved, in a sentence. */
export function reasonOf(error: unknown, isKept: boolean): string {
  const rejected = problemFrom(error)?.reasonFor('changes/0/set/text')
  const cause = rejected ? `The text ${rejected}.` : (error as Error).message
  return isKept ? cause : `${cause} This browser has no space for a draft: keep this page open.`
}
