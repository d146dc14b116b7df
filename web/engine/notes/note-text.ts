import type { Note } from '#contract/notes.ts'
import type { Stored } from '../kept/note-drafts.ts'
import { createListeners } from '../sync/listeners.ts'
import { commonLines, mergeLines } from './merge-lines.ts'

export type NoteText = ReturnType<typeof createNoteText>

/** The text of a note as it is here and as the server last had it, and merging both. */
export function createNoteText(begin: { text: string; stored: Stored }) {
  const listeners = createListeners()
  let { stored } = begin
  let text: string | (() => string) = begin.text
  let newestSeen = stored.version
  /** Whether the server may have lost the stored text: its items were replaced, as after the restore of a backup. */
  let isBaseLost = false
  let composition: PromiseWithResolvers<void> | undefined

  const textNow = () => {
    if (typeof text !== 'string') text = text()
    return text
  }

  /** The text that this one and a text of the server are compared with. */
  function baseFor({ text: theirs, version }: Note): string {
    // The server was restored to an older state: everything here that differs was typed after it.
    if (version < stored.version) return theirs
    return isBaseLost ? commonLines(textNow(), theirs) : stored.text
  }

  return {
    now: textNow,
    stored: () => stored,
    newestSeen: () => newestSeen,
    /** Whether the server has, as far as this page has heard, another text than the stored one. */
    isBehind: () => isBaseLost || newestSeen > stored.version,
    isBaseLost: () => isBaseLost,
    /** The note has this version on the server. */
    see(version: number) {
      newestSeen = Math.max(newestSeen, version)
    },

    /** The person typed. The text is read when it is needed. */
    edit(next: string | (() => string)) {
      text = next
    },

    /** Forgets the stored text and all versions that were seen, because the items of the server were replaced. */
    loseBase() {
      isBaseLost = true
      newestSeen = 0
    },

    /** The server has stored a text that was sent, before the later changes of others, if there are any. */
    confirm(sentText: string, version: number) {
      stored = { text: sentText, version: Math.min(version, stored.version) }
      isBaseLost = false
    },

    /**
     * Merges the server's text into this one. Returns false if a newer one is merged already. `since`: the stored text when a
     * change was sent. In the answer, an older version means that the server was restored.
     */
    async merge(note: Note, since?: Stored): Promise<boolean> {
      // An input method would lose the text that it is composing.
      while (composition) await composition.promise
      const isOlder = note.version < stored.version
      if (isOlder && since !== stored && !isBaseLost) return false
      newestSeen = isOlder ? note.version : Math.max(newestSeen, note.version)
      const merged = mergeLines(baseFor(note), textNow(), note.text)
      stored = { text: note.text, version: note.version }
      isBaseLost = false
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
