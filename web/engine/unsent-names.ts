import { isBlank } from '#contract/blank.ts'
import { withChecked } from '#contract/check-lines.ts'
import { searchedTexts } from '#contract/fields.ts'
import { summaryOf } from '#contract/note-summary.ts'
import { taskFields } from '#contract/task-fields.ts'
import { type Entry, hasText, type Item, titleOf } from './entry.ts'
import type { KeptDraft } from './kept/unsent-storage.ts'
import type { Parts } from './parts.ts'

/** Most visits do not need the names of unsent things, so they are a module of their own. */
export function namesOf({ store, waiting }: Pick<Parts, 'store' | 'waiting'>): string[] {
  const { changes, notes, drafts, damaged } = waiting.all()
  return [
    ...drafts.map(nameOf),
    ...notes.map(({ text }) => summaryOf(text).title || 'Untitled'),
    ...changes.map((entry) => titleOf(store, entry) || 'A change'),
    ...damaged.map(() => 'A damaged change'),
  ]
}

const longestName = 60

export function nameOf({ values }: KeptDraft): string {
  const [text = 'no title'] = searchedTexts(taskFields, values).flatMap((each) =>
    isBlank(each ?? '') ? [] : (each?.trim() ?? []),
  )
  const start = [...text.slice(0, 2 * longestName)].slice(0, longestName).join('')
  return start.length < text.length ? `${start}…` : text
}

const finalStatuses = [400, 413, 422]

/** Whether the server may accept a rejected entry unchanged. `stored`: its item on the server. */
export function mayBeStored(entry: Entry, stored: Item | undefined): boolean {
  const { status = 0 } = entry.failure ?? {}
  if (finalStatuses.includes(status) || (status === 409 && hasText(entry))) return false
  if ('undo' in entry) return entry.undo.seq !== undefined && status !== 404 && status !== 409
  if ('check' in entry)
    return stored?.kind === 'task' && withChecked(stored.body, entry.check, true) !== undefined
  return status !== 404 || stored !== undefined
}
