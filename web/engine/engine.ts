import { loadWays } from './journal/page-journal.ts'
import type { Needs } from './needs.ts'
import { createParts, type Parts } from './parts.ts'
import { followChanges } from './store/follow-changes.ts'
import { keepUndoHistory } from './undo-history.ts'
import { sendNotes, showLine } from './unsent-notes.ts'

export type Engine = ReturnType<typeof createEngine>

/** Everything between a press and the server, for one visit of an account to the dashboard. Until it is started it neither sends nor fetches by itself. */
export function createEngine(needs: Needs) {
  const parts = createParts(needs)

  /** Sends changes and notes, and follows those of other tabs and devices. Returns the function that stops it. */
  function start(): () => void {
    const left = new AbortController()
    const { signal } = left
    const { connection, history, journal, undo } = parts
    const stops = [keepUndoHistory(history, needs), undo.onMoved((step) => showLine(parts, step)), undo.drop]
    followChanges(parts, signal)
    connection.follow(signal)
    stops.push(journal.start(), loadRepeats(parts, signal))
    sendNotes(parts, signal)
    loadWaysOnceUsed(parts, signal)
    for (const stop of stops) signal.addEventListener('abort', stop)
    return () => left.abort()
  }

  return Object.assign(parts, { start })
}

/** Loads the code that sends changes with the first use of the page, so that it is there if the network is lost before a change is made. */
function loadWaysOnceUsed(parts: Parts, signal: AbortSignal) {
  const used = new AbortController()
  const load = () => {
    used.abort()
    loadWays(parts).catch(console.warn)
  }
  parts.needs.on(['use'], load, AbortSignal.any([signal, used.signal]))
}

/** Loads the code of repeats with the first task that repeats. Returns the function that stops it. */
function loadRepeats({ needs, repeats, store }: Parts, signal: AbortSignal): () => void {
  async function load() {
    Object.assign(repeats, await import('./verbs/derived-changes.ts'))
  }
  const look = () => {
    if (store.repeats().length === 0) return
    stop()
    needs.untilDone(load, signal, () => true).catch((error) => signal.aborted || console.error(error))
  }
  const stop = store.subscribe(look)
  look()
  return stop
}
