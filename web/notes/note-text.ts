import type { Note } from '#contract/notes.ts'
import { createListeners } from '../sync/listeners.ts'
import { mergeLines } from './merge-lines.ts'

/** A text of the note that the server has, and the version that it is part of. Version 0: there is no such note yet. */
export type Stored = { text: string; version: number }

export type NoteText = ReturnType<typeof createNoteText>

/** The text of a note as it is here and as the server last had it, and merging both. */
export function createNoteText(begin: { text: string; stored: Stored }) {
  const listeners = createListeners()
  let { stored } = begin
  let text: string | (() => string) = begin.text
  let newestSeen = stored.version
  let composition: PromiseWithResolvers<void> | undefined

  const textNow = () => {
    if (typeof text !== 'string') text = text()
    return text
  }

  return {
    now: textNow,
    stored: () => stored,
    newestSeen: () => newestSeen,
    /** The note has this version on the server. */
    see(version: number) {
      newestSeen = Math.max(newestSeen, version)
    },

    /** The person typed. The text is read when it is needed. */
    edit(next: string | (() => string)) {
      text = next
    },

    /** The server has stored a text that was sent, before the later changes of others, if there are any. */
    confirm(sentText: string) {
      stored = { text: sentText, version: stored.version }
    },

    /** Merges the server's text into this one. Returns false if a newer one is merged already. */
    async merge(note: Note): Promise<boolean> {
      // An input method would lose the text that it is composing.
      while (composition) await composition.promise
      if (note.version < stored.version) return false
      newestSeen = Math.max(newestSeen, note.version)
      const merged = mergeLines(stored.text, textNow(), note.text)
      stored = { text: note.text, version: note.version }
      if (note.deletedAt !== null || merged === textNow()) return true
      text = merged
      listeners.tell()
      return true
    },

    /** While an input method composes, others' changes wait. */
    compose(isComposing: boolean) {
      if (isComposing) composition ??= Promise.withResolvers()
      else {
        composition?.resolve()
        composition = undefined
      }
    },

    /** Calls `listener` when changes of others were merged into the text, so that the field shows them. */
    onMerge: listeners.subscribe,
    /** The text was changed outside its field: the field shows it. */
    shown: () => listeners.tell(),

    /** Discards text that the server does not have. */
    discard() {
      text = stored.text
    },
  }
}
