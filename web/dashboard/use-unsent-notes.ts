import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { openNotesOf, unsentTexts } from '../notes/draft-keys.ts'
import { waitToRetry } from '../sync/retry-delay.ts'

/** Loads the chunk that saves notes, which most visits do not need. */
export const loadDocuments = async (queryClient: QueryClient) =>
  (await import('../notes/note-documents.ts')).documentsOf(queryClient)

/** Sends the notes that could not be saved when the dashboard was open last, whichever view is open now. */
export function useUnsentNotes(queryClient: QueryClient) {
  useEffect(() => {
    if (unsentTexts().length === 0) return
    const left = new AbortController()
    startUntilLoaded(queryClient, left.signal)
    return () => left.abort()
  }, [queryClient])
}

async function startUntilLoaded(queryClient: QueryClient, signal: AbortSignal) {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const documents = await loadDocuments(queryClient)
      if (!signal.aborted) signal.addEventListener('abort', documents.start())
      return
    } catch (error) {
      console.error(error)
      await waitToRetry(failures, signal)
    }
  }
}

/** Saves the notes before a logout, as far as that is possible. */
export async function saveNotes(queryClient: QueryClient): Promise<void> {
  openNotesOf(queryClient).getState().keepDrafts()
  if (unsentTexts().length > 0)
    await loadDocuments(queryClient)
      .then((documents) => documents.saveAll())
      .catch(console.error)
}
