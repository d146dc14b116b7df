import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { untilDone } from '../sync/retry-delay.ts'
import { waitingOf } from './waiting/waiting.ts'

/** Loads the chunk that saves notes, which most visits do not need. */
export const loadDocuments = async (queryClient: QueryClient) =>
  (await import('../notes/note-documents.ts')).documentsOf(queryClient)

/** Sends the notes that could not be saved when the dashboard was open last, whichever view is open now. */
export function useUnsentNotes(queryClient: QueryClient) {
  useEffect(() => {
    if (waitingOf(queryClient).notes().length === 0) return
    const left = new AbortController()
    untilDone(
      () => loadDocuments(queryClient),
      left.signal,
      () => true,
    ).then(
      (documents) => left.signal.aborted || left.signal.addEventListener('abort', documents.start()),
      (error) => left.signal.aborted || console.error(error),
    )
    return () => left.abort()
  }, [queryClient])
}

/** Saves the notes before a logout, as far as that is possible. */
export async function saveNotes(queryClient: QueryClient): Promise<void> {
  const waiting = waitingOf(queryClient)
  waiting.keepNotes()
  if (waiting.notes().length > 0)
    await loadDocuments(queryClient)
      .then((documents) => documents.saveAll())
      .catch(console.error)
}
