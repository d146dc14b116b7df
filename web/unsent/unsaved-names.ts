import type { QueryClient } from '@tanstack/react-query'
import { summaryOf } from '#contract/note-summary.ts'
import { journalOf, titleOf } from '../changes/page-journal.ts'
import { keptDrafts, nameOf } from './kept/form-drafts.ts'
import { unsentDrafts } from './kept/unsent-drafts.ts'
import { damagedUnsent } from './kept/unsent-storage.ts'

/** The names of the texts and changes of this browser that the server does not have. */
export const unsavedNames = (queryClient: QueryClient): string[] => [
  ...keptDrafts().map(nameOf),
  ...unsentDrafts().map(({ text }) => summaryOf(text).title || 'Untitled'),
  ...journalOf(queryClient)
    .entries()
    .map((entry) => titleOf(queryClient, entry) || 'A change'),
  ...damagedUnsent().map(() => 'A damaged change'),
]
