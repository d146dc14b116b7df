import type { Note } from '#contract/notes.ts'
import { problemFrom } from '../api/client.ts'
import { createListeners } from '../sync/listeners.ts'
import { isTemporary } from '../sync/retry-delay.ts'
import type { DocumentPort, Result } from './document-port.ts'
import type { Sent } from './drafts.ts'
import type { NoteDraft } from './note-draft.ts'
import type { NoteText } from './note-text.ts'
import { createSaveTimer } from './save-timer.ts'

export type SaveState =
  | { is: 'new' | 'saved' | 'unsaved' | 'saving' }
  /** `isSentLater`: the browser keeps it, and the same text can be saved later. */
  | { is: 'failed'; reason: string; isSentLater: boolean }
  /** Deleted elsewhere: to Recently deleted, or for good. */
  | { is: 'gone'; canRestore: boolean }

/** A note that is being written: what saving works on. */
type Writing = { id: string; port: DocumentPort; text: NoteText; draft: NoteDraft }

/** Saves the text of a note: sends it, merges the server's text, and keeps the draft until the server has everything. */
export function createSaving({ id, port, text, draft }: Writing, onSaved: () => Promise<void>) {
  const listeners = createListeners()
  const timer = createSaveTimer(() => save())
  const whenSaved = () => (text.stored().version === 0 ? 'new' : 'saved')
  let state: SaveState = { is: whenSaved() }
  let saving = Promise.resolve()
  let isSending = false

  const isGone = () => state.is === 'gone'

  function show(next: SaveState) {
    state = next
    listeners.tell()
  }

  async function save(options?: { keepalive: boolean }): Promise<void> {
    timer.stop()
    if (isSending || isGone()) return
    if (!draft.isUnsaved()) return settle()
    isSending = true
    saving = send(options)
    await saving
  }

  async function send({ keepalive } = { keepalive: false }): Promise<void> {
    timer.reset()
    const sent = draft.next()
    const isKept = draft.keep()
    show({ is: 'saving' })
    let isMergeUnsent = false
    try {
      const result = await port.send(id, sent.version, sent.mutation, { text: sent.text }, keepalive)
      isMergeUnsent = await take(result, sent)
      draft.answered()
      timer.succeeded()
    } catch (error) {
      return fail(error, isKept)
    } finally {
      isSending = false
    }
    if (isGone()) return void draft.keep()
    if (isMergeUnsent) return await save()
    settle()
    await onSaved()
  }

  /** Takes the answer to a change. Returns whether it led to a text that must be sent at once. */
  async function take({ outcome, note }: Result, { text: sentText }: Sent): Promise<boolean> {
    if (note && outcome !== 'conflict') text.confirm(sentText)
    if (note) await absorb(note)
    else show({ is: 'gone', canRestore: false })
    return outcome === 'conflict' && !isGone() && text.now() !== text.stored().text
  }

  /** Merges the server's newest text into this one. */
  async function absorb(note: Note) {
    if (!(await text.merge(note))) return
    port.onStored(note)
    if (note.deletedAt !== null) show({ is: 'gone', canRestore: true })
  }

  /** After an answer: text that was typed since waits for its own save. */
  function settle() {
    const rest = draft.isUnsaved()
    show({ is: rest ? 'unsaved' : whenSaved() })
    draft.keep()
    if (rest) timer.start()
  }

  function fail(error: unknown, isKept: boolean) {
    const canBeSaved = isTemporary(problemFrom(error)?.status ?? 400)
    show({ is: 'failed', reason: reasonOf(error, isKept), isSentLater: isKept && canBeSaved })
    // A rejected text would be rejected again.
    if (canBeSaved) timer.retry()
    else draft.answered()
    draft.keep()
  }

  return {
    state: () => state,
    isSending: () => isSending,
    /**
     * The answer to a change brings the newest text. Until then, also after a failure, it is unknown whether the server's text
     * contains the change: to merge it would double lines.
     */
    isAnswerDue: () => isSending || draft.isSent(),
    show,
    settle,
    absorb,

    subscribe: listeners.subscribe,

    typed() {
      if (isGone()) return
      if (state.is === 'new' || state.is === 'saved') show({ is: 'unsaved' })
      timer.start()
    },

    /** Sends unsaved text now or, during another save, after its answer; `keepalive` for a page that is closing. */
    async save(options?: { keepalive: boolean }) {
      const isBehindAnother = isSending
      while (isSending) await saving
      // A failed save is repeated after a while.
      if (!isBehindAnother || state.is !== 'failed') await save(options)
    },

    /** Stops saving. */
    close() {
      timer.close()
      listeners.clear()
    },

    /** Discards unsaved text and its draft. */
    discard() {
      timer.close()
      draft.remove()
      // Its answer ends the save. Otherwise nothing is unsaved any more, and the listeners learn it.
      if (isSending) return
      draft.answered()
      text.discard()
      show(state)
    },
  }
}

function reasonOf(error: unknown, isKept: boolean): string {
  const rejected = problemFrom(error)?.reasonFor('changes/0/set/text')
  const cause = rejected ? `The text ${rejected}.` : (error as Error).message
  return isKept ? cause : `${cause} This browser has no space for a draft: keep this page open.`
}
