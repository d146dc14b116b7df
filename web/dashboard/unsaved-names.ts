import type { QueryClient } from '@tanstack/react-query'
import { summaryOf } from '#contract/note-summary.ts'
import { storedAccount } from '../api/session.ts'
import { unsentTexts } from '../notes/draft-keys.ts'
import { keptDrafts, nameOf } from '../tasks/form/drafts.ts'
import { outboxOf, titleOf } from '../tasks/outbox.ts'

/** The names of the texts and changes of this browser that the server does not have. */
export const unsavedNames = (queryClient: QueryClient): string[] => [
  ...keptDrafts().map(nameOf),
  ...unsentTexts().map((text) => summaryOf(text).title || 'Untitled'),
  ...outboxOf(queryClient)
    .entries()
    .map((entry) => titleOf(queryClient, entry)),
]

/** How many changes and drafts this browser keeps for other accounts, whose sessions have ended. Logging out removes them. */
export function countOfOthers(): number {
  const own = storedAccount()
  return Object.keys(localStorage).filter((key) => {
    const [kind = '', account] = key.split(' ')
    return ['outbox', 'note-draft', 'draft'].includes(kind) && account !== own
  }).length
}
