import type { Note, NoteSummary } from '#contract/notes.ts'
import { problemFrom } from '../../api/client.ts'
import { createListeners } from '../../api/listeners.ts'
import { randomId } from '../entry.ts'
import type { Draft } from '../kept/note-drafts.ts'
import { mayPass } from '../sync/retry-delay.ts'
import type { DocumentPort } from './note-calls.ts'
import { beginState, type Effect, isBehind, isUnsaved, type NoteEvent, reduce } from './note-reducer.ts'

export type NoteDocument = ReturnType<typeof createNoteDocument>

/** Milliseconds from the last key to the save, and the most between saves in continuous typing. */
const [restTime, longestWait] = [1000, 10_000]

/** Milliseconds until a draft is written: a short one before the next key, because a page may end without notice. A long one takes time. */
const keepDelay = (length: number) => (length <= 2000 ? 0 : 250 + length / 50)

/** The text of an open note. It saves itself, merges the changes of other devices, and keeps a draft until the server has the text. */
export function createNoteDocument(port: DocumentPort, { id, since, ...begin }: Draft) {
  let state = beginState(begin)
  const [stages, merges] = [createListeners(), createListeners()]
  const closing = new AbortController()
  /** The times of the first unsaved text, and of the first text that was typed after the last call. */
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
    // So that the lists have the note before its draft ends.
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

  /** Waits, because an input method would lose the text that it is composing. */
  async function composed<Value>(value: Value): Promise<Value> {
    while (composition) await composition.promise
    return value
  }

  function keep() {
    clearTimeout(keepTimer)
    keepTimer = undefined
    unsavedSince = isUnsaved(state) ? (unsavedSince ?? Date.now()) : undefined
    const { stored, sent } = state
    const draft = unsavedSince !== undefined && { id, text: state.text(), stored, sent, since: unsavedSince }
    isKept = port.keep(id, draft || undefined)
  }

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

  async function fetchIfBehind() {
    if (isFetching) return
    isFetching = true
    for (let failures = 0; isBehind(state) && !closing.signal.aborted; failures++) {
      const note = await port.fetch(id).catch((error) => (mayPass(error) ? undefined : null))
      // The next change causes another attempt.
      if (note === null) break
      if (note) await dispatch({ on: 'fetched', note: await composed(note) })
      if (isBehind(state)) await port.wait(failures, closing.signal)
    }
    isFetching = false
  }

  /** Sends unsaved text, if necessary after the answer to a running save. `keepalive`: for a page that is closing. */
  async function save({ keepalive } = { keepalive: false }): Promise<void> {
    const isBehindAnother = sending !== undefined
    while (sending) await sending
    if (!isBehindAnother || !['unknown', 'failed'].includes(state.stage.is)) await saveNow(keepalive)
  }

  return {
    id,
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
    get version() {
      return state.stored.version
    },
    /** Whether only this page has the note: it is empty, or its first text was rejected. */
    get isOnlyHere() {
      return state.stored.version === 0 && !state.sent && ['new', 'failed'].includes(state.stage.is)
    },

    subscribe: stages.subscribe,
    /** Calls `listener` when the text was changed outside its field. */
    onMerge: merges.subscribe,
    shown: () => merges.tell(),

    /** While an input method composes, changes of others wait. */
    compose(isComposing: boolean) {
      if (!isComposing) composition?.resolve()
      composition = isComposing ? (composition ?? Promise.withResolvers()) : undefined
    },

    save,
    /** Writes the draft at once, because the page may be closed. */
    keepDraft: keep,

    /** Takes typed text. A function is called once, when the text is needed. */
    edit(next: string | (() => string)) {
      let read = next
      dispatch({ on: 'typed', text: () => (read = typeof read === 'string' ? read : read()) })
    },

    /** The note was changed by another device, or by this page except for its text. */
    async changedElsewhere(change: Note | NoteSummary) {
      if (composition && 'text' in change) await composed(change)
      await dispatch({ on: 'heard', change })
    },

    /** The server's items were replaced, for example by a restored backup: its next note is merged anew. */
    loseBase: () => dispatch({ on: 'replaced' }),

    removedForGood: () => dispatch({ on: 'removed' }),

    /** Restores a note that was deleted elsewhere, with the text of this page. */
    async restore() {
      const { stored: since, newest } = state
      const { note } = await port.send(id, newest, randomId(), { deleted: false }, false)
      if (!note) return
      await dispatch({ on: 'restored', note: await composed(note), since })
      if (note.deletedAt === null) await save()
    },

    close() {
      if (keepTimer !== undefined) keep()
      clearTimeout(saveTimer)
      closing.abort()
      stages.clear()
    },

    /** Discards unsaved text and its draft. A running save ends with its answer. */
    discard() {
      clearTimeout(saveTimer)
      clearTimeout(keepTimer)
      closing.abort()
      if (sending) port.keep(id, undefined)
      else dispatch({ on: 'discarded' })
    },
  }
}

function reasonOf(error: unknown, isKept: boolean): string {
  const rejected = problemFrom(error)?.reasonFor('changes/0/set/text')
  const cause = rejected ? `The text ${rejected}.` : (error as Error).message
  return isKept ? cause : `${cause} This browser has no space for a draft: keep this page open.`
}
