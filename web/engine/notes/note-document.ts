import type { Note, NoteSummary } from '#contract/notes.ts'
import { problemFrom } from '../../api/client.ts'
import { createListeners } from '../../api/listeners.ts'
import { randomId } from '../entry.ts'
import type { Draft } from '../kept/note-drafts.ts'
import { mayPass } from '../sync/retry-delay.ts'
import type { DocumentPort } from './note-calls.ts'
import { beginState, type Effect, isBehind, isUnsaved, type NoteEvent, reduce } from './note-reducer.ts'

export type NoteDocument = ReturnType<typeof createNoteDocument>

/** Milliseconds from the last key to the save, and the longest time without a save in continuous typing. */
const [restTime, longestWait] = [1000, 10_000]

/**
 * Until a draft is written, in milliseconds. A short one is written before the next key, so that a page that ends without notice
 * loses nothing; writing a long one takes time, so it is written less often.
 */
const keepDelay = (length: number) => (length <= 2000 ? 0 : 250 + length / 50)

/**
 * The text of a note that is being written. It saves itself, merges the changes of other devices, and keeps a draft in the
 * browser until the server has confirmed the text.
 */
export function createNoteDocument(port: DocumentPort, { id, since, ...begin }: Draft) {
  let state = beginState(begin)
  const [stages, merges] = [createListeners(), createListeners()]
  const closing = new AbortController()
  /** Since when text is unsaved, and since when typed text was not sent. */
  let [unsavedSince, typedSince]: (number | undefined)[] = [since]
  let [keepTimer, saveTimer]: (ReturnType<typeof setTimeout> | undefined)[] = []
  let retrying = new AbortController()
  let isKept = true
  let sending: Promise<void> | undefined
  let isFetching = false
  let composition: PromiseWithResolvers<void> | undefined

  async function dispatch(event: NoteEvent): Promise<void> {
    const { stage, text } = state
    const { state: next, merged, effects = [] } = reduce(state, event)
    state = next
    if (merged && next.text !== text) merges.tell()
    // The lists have the stored note before the draft of a new one ends.
    if (merged) port.onStored(merged)
    if (event.on === 'typed') keepTimer ??= setTimeout(keep, keepDelay(next.stored.text.length))
    else if (next.stage !== stage) keep()
    if (next.stage !== stage) stages.tell()
    for (const effect of effects) await works[effect](event)
  }

  const works: Record<Effect, (event: NoteEvent) => Promise<void> | void> = {
    send: (event) => (sending = send(event.on === 'save' && event.keepalive)),
    'save now': () => saveNow(),
    'save soon'() {
      clearTimeout(saveTimer)
      typedSince ??= performance.now()
      const longest = typedSince + longestWait - performance.now()
      saveTimer = setTimeout(saveNow, Math.min(restTime, Math.max(0, longest)))
    },
    'save later': () => void saveLater(),
    fetch: fetchIfBehind,
  }

  /** An input method would lose the text that it is composing. */
  async function composed<Value>(value: Value): Promise<Value> {
    while (composition) await composition.promise
    return value
  }

  /** Writes or removes the draft. */
  function keep() {
    clearTimeout(keepTimer)
    keepTimer = undefined
    unsavedSince = isUnsaved(state) ? (unsavedSince ?? Date.now()) : undefined
    const { stored, sent } = state
    const draft = unsavedSince !== undefined && { id, text: state.text(), stored, sent, since: unsavedSince }
    isKept = port.keep(id, draft || undefined)
  }

  /** A save ends all waiting for it. */
  async function saveNow(keepalive = false): Promise<void> {
    clearTimeout(saveTimer)
    retrying.abort()
    if (!sending) await dispatch({ on: 'save', mutation: randomId(), keepalive })
  }

  async function saveLater() {
    retrying = new AbortController()
    const signal = AbortSignal.any([retrying.signal, closing.signal])
    await port.wait(state.retries - 1, signal)
    if (!signal.aborted) await saveNow()
  }

  async function send(keepalive: boolean) {
    typedSince = undefined
    const { text = '', version = 0, mutation = '' } = state.sent ?? {}
    const event: NoteEvent = await port
      .send(id, version, mutation, { text }, keepalive)
      .then(composed)
      .then(
        (result) => ({ on: 'answered', result }),
        (error) => ({ on: 'failed', reason: reasonOf(error, isKept), mayPass: mayPass(error), isKept }),
      )
    sending = undefined
    await dispatch(event)
  }

  /** Fetches the note until its text is as new as what was heard of it. */
  async function fetchIfBehind() {
    if (isFetching) return
    isFetching = true
    for (let failures = 0; isBehind(state) && !closing.signal.aborted; failures++) {
      const note = await port.fetch(id).catch((error) => (mayPass(error) ? undefined : null))
      // The next change that is heard of is a reason to try again.
      if (note === null) break
      if (note) await dispatch({ on: 'fetched', note: await composed(note) })
      if (isBehind(state)) await port.wait(failures, closing.signal)
    }
    isFetching = false
  }

  /** Sends unsaved text now or, during another save, after its answer; `keepalive` for a page that is closing. */
  async function save({ keepalive } = { keepalive: false }): Promise<void> {
    const isBehindAnother = sending !== undefined
    while (sending) await sending
    // A failed save is repeated after a while.
    if (!isBehindAnother || !['unknown', 'failed'].includes(state.stage.is)) await saveNow(keepalive)
  }

  return {
    id,
    /** How many places show the note. */
    uses: 0,
    get text() {
      return state.text()
    },
    get state() {
      return state.stage
    },
    get isUnsaved() {
      return isUnsaved(state)
    },
    get unsavedSince() {
      return unsavedSince ?? Date.now()
    },
    /** The version of the note that this text is based on. */
    get version() {
      return state.stored.version
    },
    /** Whether the note exists here alone: it is empty, or the server rejected its first text. */
    get isOnlyHere() {
      return state.stored.version === 0 && !state.sent && ['new', 'failed'].includes(state.stage.is)
    },

    subscribe: stages.subscribe,
    /** Calls `listener` when changes of others were merged into the text, so that the field shows them. */
    onMerge: merges.subscribe,
    /** The text was changed outside its field: the field shows it. */
    shown: () => merges.tell(),

    /** While an input method composes, others' changes wait. */
    compose(isComposing: boolean) {
      if (!isComposing) composition?.resolve()
      composition = isComposing ? (composition ?? Promise.withResolvers()) : undefined
    },

    save,
    /** The page may be closed: writes the draft at once. */
    keepDraft: keep,

    /** The person typed. The text is read when it is needed, and once. */
    edit(next: string | (() => string)) {
      let read = next
      dispatch({ on: 'typed', text: () => (read = typeof read === 'string' ? read : read()) })
    },

    /** Another device changed the note, or this page did so by other means than its text. */
    async changedElsewhere(change: Note | NoteSummary) {
      if (composition && 'text' in change) await composed(change)
      await dispatch({ on: 'heard', change })
    },

    /** The server's items were replaced, as after the restore of a backup: the next note of the server is merged anew. */
    loseBase: () => dispatch({ on: 'replaced' }),

    removedForGood: () => dispatch({ on: 'removed' }),

    /** Brings a note back that was deleted elsewhere, with the text as it is here. */
    async restore() {
      const { stored: since, newest } = state
      const { note } = await port.send(id, newest, randomId(), { deleted: false }, false)
      if (!note) return
      await dispatch({ on: 'restored', note: await composed(note), since })
      if (note.deletedAt === null) await save()
    },

    /** Stops saving. Unsaved text stays in the draft. */
    close() {
      if (keepTimer !== undefined) keep()
      clearTimeout(saveTimer)
      closing.abort()
      stages.clear()
    },

    /** Discards unsaved text and its draft. The answer ends a save that is being sent. */
    discard() {
      clearTimeout(saveTimer)
      clearTimeout(keepTimer)
      closing.abort()
      if (sending) port.keep(id, undefined)
      else dispatch({ on: 'discarded' })
    },
  }
}

/** Why a text was not saved, in a sentence. */
function reasonOf(error: unknown, isKept: boolean): string {
  const rejected = problemFrom(error)?.reasonFor('changes/0/set/text')
  const cause = rejected ? `The text ${rejected}.` : (error as Error).message
  return isKept ? cause : `${cause} This browser has no space for a draft: keep this page open.`
}
