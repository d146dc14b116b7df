import type { Note, NoteSummary } from '#contract/notes.ts'
import { randomId } from '../api/random-id.ts'
import type { DocumentPort } from './document-port.ts'
import type { Draft } from './drafts.ts'
import { createNoteDraft } from './note-draft.ts'
import { absorb, createSaving } from './note-saving.ts'
import { createNoteText } from './note-text.ts'
import { createSaveState } from './save-state.ts'

export type NoteDocument = ReturnType<typeof createNoteDocument>

/**
 * The text of a note that is being written. It saves itself, merges the changes of other devices, and keeps a draft in the
 * browser until the server has confirmed the text.
 */
export function createNoteDocument(port: DocumentPort, begin: Draft) {
  const { id } = begin
  const text = createNoteText(begin)
  const draft = createNoteDraft(port, text, begin)
  const state = createSaveState(text)
  const writing = { id, port, text, draft, state }
  const saving = createSaving(writing, fetchIfBehind)

  /** Merges a note of the server, unless an answer is awaited that brings a newer one. */
  async function take(note: Note | undefined) {
    if (!note || saving.isAnswerDue()) return
    await absorb(writing, note)
    if (!state.isGone()) saving.settle()
  }

  async function fetchIfBehind() {
    if (saving.isAnswerDue() || state.isGone() || text.newestSeen() <= text.stored().version) return
    await take(await port.fetch(id).catch(() => undefined))
  }

  return {
    id,
    get text() {
      return text.now()
    },
    get state() {
      return state.now()
    },
    get isUnsaved() {
      return draft.isUnsaved()
    },
    get unsavedSince() {
      return draft.since() ?? Date.now()
    },

    /** The version of the note that this text is based on. */
    get version() {
      return text.stored().version
    },

    /** Whether the note exists here alone: it is empty, or the server rejected its first text. */
    get isOnlyHere() {
      return text.stored().version === 0 && !draft.isSent() && ['new', 'failed'].includes(state.now().is)
    },

    subscribe: state.subscribe,
    onMerge: text.onMerge,
    shown: text.shown,
    compose: text.compose,
    save: saving.save,

    /** The person typed. The text is read when it is needed. */
    edit(next: string | (() => string)) {
      text.edit(next)
      draft.keepSoon()
      saving.typed()
    },

    /** The page may be closed: writes the draft at once. */
    keepDraft: draft.keep,

    /** Another device changed the note, or this page did so by other means than its text. */
    async changedElsewhere(change: Note | NoteSummary) {
      if (change.version <= text.stored().version) return
      text.see(change.version)
      // Restored elsewhere: this page saves again.
      if (state.isGone() && change.deletedAt === null && change.version === text.newestSeen()) saving.settle()
      if ('text' in change && !saving.isAnswerDue()) await take(change)
      else if (change.deletedAt !== null && !saving.isSending()) state.show({ is: 'gone', canRestore: true })
      else await fetchIfBehind()
    },

    removedForGood() {
      state.show({ is: 'gone', canRestore: false })
    },

    /** Brings a note back that was deleted elsewhere, with the text as it is here. */
    async restore() {
      const { note } = await port.send(id, text.newestSeen(), randomId(), { deleted: false }, false)
      if (!note || note.deletedAt !== null) return
      // The text is saved after that, and merged with changes that others made before the deletion.
      if (!saving.isAnswerDue()) await absorb(writing, note)
      saving.settle()
      await saving.save()
    },

    /** Stops saving. Unsaved text stays in the draft. */
    close() {
      draft.close()
      saving.close()
    },

    discard: saving.discard,
  }
}
