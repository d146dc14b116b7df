import type { Note, NoteSummary } from '#contract/notes.ts'
import { randomId } from '../../api/random-id.ts'
import type { Draft } from '../kept/note-drafts.ts'
import type { Needs } from '../needs.ts'
import { mayPass } from '../sync/retry-delay.ts'
import type { DocumentPort } from './document-port.ts'
import { createNoteDraft } from './note-draft.ts'
import { absorb, createSaving } from './note-saving.ts'
import { createNoteText } from './note-text.ts'
import { createSaveState } from './save-state.ts'

export type NoteDocument = ReturnType<typeof createNoteDocument>

/** The server answered with an older text than the one that was announced. */
class OlderAnswer extends Error {}

/**
 * The text of a note that is being written. It saves itself, merges the changes of other devices, and keeps a draft in the
 * browser until the server has confirmed the text.
 */
export function createNoteDocument(
  { untilDone, wait }: Pick<Needs, 'untilDone' | 'wait'>,
  port: DocumentPort,
  begin: Draft,
) {
  const { id } = begin
  const text = createNoteText(begin)
  const draft = createNoteDraft(port, text, begin)
  const state = createSaveState(text)
  const writing = { id, port, text, draft, state, wait }
  const saving = createSaving(writing, fetchIfBehind)
  const closing = new AbortController()
  let isFetching = false

  /** Merges a note of the server, unless an answer is awaited that brings a newer one. */
  async function take(note: Note) {
    if (saving.isAnswerDue()) return
    await absorb(writing, note)
    if (!state.isGone()) saving.settle()
  }

  const isBehind = () => !saving.isAnswerDue() && !state.isGone() && text.isBehind()

  /** Fetches the note until its text is as new as what was heard of it. */
  async function fetchIfBehind() {
    if (isFetching || !isBehind()) return
    isFetching = true
    await untilDone(fetchOnce, closing.signal, (error) => error instanceof OlderAnswer || mayPass(error))
      // The next change that is heard of is a reason to try again.
      .catch(() => {})
    isFetching = false
  }

  async function fetchOnce() {
    if (!isBehind()) return
    await take(await port.fetch(id))
    if (isBehind()) throw new OlderAnswer()
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
      if (change.version <= text.stored().version && !text.isBaseLost()) return
      text.see(change.version)
      // Restored elsewhere: this page saves again.
      if (state.isGone() && change.deletedAt === null && change.version === text.newestSeen()) saving.settle()
      if ('text' in change && !saving.isAnswerDue()) await take(change)
      else if (change.deletedAt !== null && !saving.isSending()) state.show({ is: 'gone', canRestore: true })
      else await fetchIfBehind()
    },

    /** The server's items were replaced, as after the restore of a backup: the next note of the server is merged anew. */
    loseBase: text.loseBase,

    removedForGood() {
      state.show({ is: 'gone', canRestore: false })
    },

    /** Brings a note back that was deleted elsewhere, with the text as it is here. */
    async restore() {
      const since = text.stored()
      const { note } = await port.send(id, text.newestSeen(), randomId(), { deleted: false }, false)
      // After the restore of a backup, the server has an older version, which the next press names.
      if (note && note.version < text.newestSeen()) text.loseBase()
      if (note) text.see(note.version)
      if (!note || note.deletedAt !== null) return
      // The text is saved after that, and merged with changes that others made before the deletion.
      if (!saving.isAnswerDue()) await absorb(writing, note, since)
      saving.settle()
      await saving.save()
    },

    /** Stops saving. Unsaved text stays in the draft. */
    close() {
      draft.close()
      saving.close()
      closing.abort()
    },

    discard: saving.discard,
  }
}
