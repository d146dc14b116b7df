import { useEffect } from 'react'
import type { Engine } from '../engine/engine.ts'
import { untilDone } from '../engine/sync/retry-delay.ts'
import type { Step } from '../engine/undo-history.ts'

/** Loads the chunk that saves notes, which most visits do not need. */
export const loadDocuments = async (engine: Engine) =>
  (await import('../engine/notes/note-documents.ts')).documentsOf(engine)

/** Sends the notes that could not be saved when the dashboard was open last, whichever view is open now. */
export function useUnsentNotes(engine: Engine) {
  useEffect(() => {
    if (engine.waiting.notes().length === 0) return
    const left = new AbortController()
    untilDone(
      () => loadDocuments(engine),
      left.signal,
      () => true,
    ).then(
      (documents) => left.signal.aborted || left.signal.addEventListener('abort', documents.start()),
      (error) => left.signal.aborted || console.error(error),
    )
    return () => left.abort()
  }, [engine])
}

/** If a line of a note became this task, shows in the note whether the task is there. */
export const showLine = async (engine: Engine, task: Pick<Step, 'item' | 'line'>) =>
  task.line &&
  import('../engine/notes/linked-line.ts').then(({ showLink }) => showLink(engine, task)).catch(console.error)

/** Saves the notes before a logout, as far as that is possible. */
export async function saveNotes(engine: Engine): Promise<void> {
  const { waiting } = engine
  waiting.keepNotes()
  if (waiting.notes().length > 0)
    await loadDocuments(engine)
      .then((documents) => documents.saveAll())
      .catch(console.error)
}
