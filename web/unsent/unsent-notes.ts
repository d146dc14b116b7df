import { useEffect } from 'react'
import type { Step } from '../changes/undo-history.ts'
import type { Dashboard } from '../state/dashboard.tsx'
import { untilDone } from '../sync/retry-delay.ts'

/** Loads the chunk that saves notes, which most visits do not need. */
export const loadDocuments = async (dashboard: Dashboard) =>
  (await import('../notes/note-documents.ts')).documentsOf(dashboard)

/** Sends the notes that could not be saved when the dashboard was open last, whichever view is open now. */
export function useUnsentNotes(dashboard: Dashboard) {
  useEffect(() => {
    if (dashboard.waiting.notes().length === 0) return
    const left = new AbortController()
    untilDone(
      () => loadDocuments(dashboard),
      left.signal,
      () => true,
    ).then(
      (documents) => left.signal.aborted || left.signal.addEventListener('abort', documents.start()),
      (error) => left.signal.aborted || console.error(error),
    )
    return () => left.abort()
  }, [dashboard])
}

/** If a line of a note became this task, shows in the note whether the task is there. */
export const showLine = async (dashboard: Dashboard, task: Pick<Step, 'item' | 'line'>) =>
  task.line &&
  import('../notes/linked-line.ts').then(({ showLink }) => showLink(dashboard, task)).catch(console.error)

/** Saves the notes before a logout, as far as that is possible. */
export async function saveNotes(dashboard: Dashboard): Promise<void> {
  const { waiting } = dashboard
  waiting.keepNotes()
  if (waiting.notes().length > 0)
    await loadDocuments(dashboard)
      .then((documents) => documents.saveAll())
      .catch(console.error)
}
