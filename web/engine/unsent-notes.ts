import type { Parts } from './parts.ts'
import type { Step } from './undo-history.ts'

/** Loads the code of notes, which most visits do not need. */
export const loadNotes = () => import('./notes/notes.ts')

export const loadDocuments = async (parts: Parts) => (await loadNotes()).documentsOf(parts)

/** Sends the notes that could not be saved at the last visit, until the signal is aborted. */
export function sendNotes(parts: Parts, signal: AbortSignal) {
  if (parts.waiting.notes().length === 0) return
  const load = () => loadDocuments(parts)
  parts.needs
    .untilDone(load, signal, () => true)
    .then((documents) => signal.aborted || signal.addEventListener('abort', documents.start()))
    .catch((error) => signal.aborted || console.error(error))
}

/** If a line of a note became this task, shows in the note whether the task is there. */
export const showLine = async (parts: Parts, task: Pick<Step, 'item' | 'line'>) =>
  task.line &&
  loadNotes()
    .then(({ showLink }) => showLink(parts, task))
    .catch(console.error)

/** Saves the notes before a logout, as far as that is possible. */
export async function saveNotes(parts: Parts): Promise<void> {
  const { waiting } = parts
  waiting.keeping.tell()
  if (waiting.notes().length > 0)
    await loadDocuments(parts)
      .then((documents) => documents.saveAll())
      .catch(console.error)
}
