import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { summaryOf } from '#contract/note-summary.ts'
import { unsentTexts } from '../notes/draft-keys.ts'

/** Loads the chunk that saves notes, which most visits do without. */
const loadDocuments = async (queryClient: QueryClient) =>
  (await import('../notes/note-documents.ts')).documentsOf(queryClient)

/** Sends the notes that could not be saved when the dashboard was open last, whichever view is open now. */
export function useUnsentNotes(queryClient: QueryClient) {
  useEffect(() => {
    if (unsentTexts().length === 0) return
    let stop: (() => void) | undefined
    let hasLeft = false
    loadDocuments(queryClient).then((documents) => {
      if (!hasLeft) stop = documents.start()
    }, console.error)
    return () => {
      hasLeft = true
      stop?.()
    }
  }, [queryClient])
}

/** Saves the notes before a logout. Returns the titles of those that could not be saved. */
export async function saveNotes(queryClient: QueryClient): Promise<string[]> {
  if (unsentTexts().length > 0)
    await loadDocuments(queryClient)
      .then((documents) => documents.saveAll())
      .catch(console.error)
  return unsentTexts().map((text) => summaryOf(text).title || 'Untitled')
}

/** Forgets what could not be saved, so that nothing keeps it again after the logout. */
export async function discardNotes(queryClient: QueryClient): Promise<void> {
  if (unsentTexts().length > 0)
    await loadDocuments(queryClient)
      .then((documents) => documents.discardAll())
      .catch(console.error)
}
