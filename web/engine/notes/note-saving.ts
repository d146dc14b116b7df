import type { Note } from '#contract/notes.ts'
import type { Sent, Stored } from '../kept/note-drafts.ts'
import type { Needs } from '../needs.ts'
import { mayPass } from '../sync/retry-delay.ts'
import type { DocumentPort, Result } from './document-port.ts'
import type { NoteDraft } from './note-draft.ts'
import type { NoteText } from './note-text.ts'
import { reasonOf, type ShownState, savedState } from './save-state.ts'
import { createSaveTimer } from './save-timer.ts'

/** A note that is being written: what saving works on. */
type Writing = {
  id: string
  port: DocumentPort
  text: NoteText
  draft: NoteDraft
  state: ShownState
  wait: Needs['wait']
}

/** Sends the text of a note, merges the text of the answer, and keeps the draft until the server has everything. */
export function createSaving(writing: Writing, onSaved: () => Promise<void>) {
  const { id, port, text, draft, state } = writing
  const timer = createSaveTimer(() => save(), writing.wait)
  /** How many answers in a row were conflicts. */
  let conflicts = 0
  let saving = Promise.resolve()
  let isSending = false

  async function save(options?: { keepalive: boolean }): Promise<void> {
    timer.stop()
    if (isSending || state.isGone()) return
    if (!draft.isUnsaved()) return settle()
    isSending = true
    saving = send(options)
    await saving
  }

  async function send({ keepalive } = { keepalive: false }): Promise<void> {
    timer.reset()
    const sent = draft.next()
    const isKept = draft.keep()
    state.show({ is: 'saving' })
    let isMergeUnsent = false
    try {
      const result = await port.send(id, sent.version, sent.mutation, { text: sent.text }, keepalive)
      isMergeUnsent = await take(writing, result, sent)
      draft.answered()
    } catch (error) {
      return fail(error, isKept)
    } finally {
      isSending = false
    }
    if (state.isGone()) return void draft.keep()
    if (isMergeUnsent) return await sendMerged()
    conflicts = 0
    timer.succeeded()
    settle()
    await onSaved()
  }

  /** Sends a merged text: the first at once, the next ones later, so that no server is asked in a loop. */
  async function sendMerged() {
    if (conflicts++ === 0) return await save()
    state.show({ is: 'unsaved' })
    draft.keep()
    timer.retry()
  }

  /** After an answer: text that was typed since waits for its own save. */
  function settle() {
    const rest = draft.isUnsaved()
    state.show({ is: rest ? 'unsaved' : savedState(text) })
    draft.keep()
    if (rest) timer.start()
  }

  function fail(error: unknown, isKept: boolean) {
    const canBeSaved = mayPass(error)
    state.show({ is: 'failed', reason: reasonOf(error, isKept), isSentLater: isKept && canBeSaved })
    // A rejected text would be rejected again.
    if (canBeSaved) timer.retry()
    else draft.answered()
    draft.keep()
  }

  return {
    isSending: () => isSending,
    /**
     * The answer to a change brings the newest text. Until then, also after a failure, it is unknown whether the server's text
     * contains the change: to merge it would double lines.
     */
    isAnswerDue: () => isSending || draft.isSent(),
    settle,

    typed() {
      if (state.isGone()) return
      if (['new', 'saved'].includes(state.now().is)) state.show({ is: 'unsaved' })
      timer.start()
    },

    /** Sends unsaved text now or, during another save, after its answer; `keepalive` for a page that is closing. */
    async save(options?: { keepalive: boolean }) {
      const isBehindAnother = isSending
      while (isSending) await saving
      // A failed save is repeated after a while.
      if (!isBehindAnother || state.now().is !== 'failed') await save(options)
    },

    /** Stops saving. */
    close() {
      timer.close()
      state.clear()
    },

    /** Discards unsaved text and its draft. */
    discard() {
      timer.close()
      draft.remove()
      // Its answer ends the save. Otherwise nothing is unsaved any more, and the listeners learn it.
      if (isSending) return
      draft.answered()
      text.discard()
      state.show(state.now())
    },
  }
}

/** Takes the answer to a change. Returns whether it led to a text that must be sent. */
async function take(writing: Writing, { outcome, note }: Result, { text: sentText }: Sent): Promise<boolean> {
  const { text, state } = writing
  if (note && outcome !== 'conflict') text.confirm(sentText, note.version)
  if (note) await absorb(writing, note, text.stored())
  else state.show({ is: 'gone', canRestore: false })
  return outcome === 'conflict' && !state.isGone() && text.now() !== text.stored().text
}

/** Merges the server's newest text into this one. `since`: the stored text when a change was sent, in the answer to it. */
export async function absorb({ port, text, state }: Writing, note: Note, since?: Stored) {
  if (!(await text.merge(note, since))) return
  port.onStored(note)
  if (note.deletedAt !== null) state.show({ is: 'gone', canRestore: true })
}
