import type { QueryClient } from '@tanstack/react-query'
import { summaryOf } from '#contract/note-summary.ts'
import { journalOf, titleOf } from '../changes/page-journal.ts'
import { unsentDrafts } from '../notes/unsent-drafts.ts'
import { damagedUnsent } from '../store/unsent-storage.ts'
import { keptDrafts, nameOf } from '../tasks/form/drafts.ts'

/** The names of the texts and changes of this browser that the server does not have. */
export const unsavedNames = (queryClient: QueryClient): string[] => [
  ...keptDrafts().map(nameOf),
  ...unsentDrafts().map(({ text }) => summaryOf(text).title || 'Untitled'),
  ...journalOf(queryClient)
    .entries()
    .map((entry) => titleOf(queryClient, entry) || 'A change'),
  ...damagedUnsent().map(() => 'A damaged change'),
]
