import { followChanges } from './follow-changes.ts'
import type { Needs } from './needs.ts'
import { createParts, type Parts } from './parts.ts'
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
    const shownLines = undo.onMoved((step) => showLine(parts, step))
    const stops = [keepUndoHistory(history, needs), shownLines, undo.drop, journal.start()]
    followChanges(parts, signal)
    connection.follow(signal)
    loadRepeats(parts, signal)
    sendNotes(parts, signal)
    for (const stop of stops) signal.addEventListener('abort', stop)
    return () => left.abort()
  }

  return Object.assign(parts, { start })
}

async function loadRepeats({ needs, repeats, store }: Parts, signal: AbortSignal) {
  await store.repeated
  const load = async () => void Object.assign(repeats, await import('./verbs/derived-changes.ts'))
  await needs.untilDone(load, signal, () => true).catch((error) => signal.aborted || console.error(error))
}
