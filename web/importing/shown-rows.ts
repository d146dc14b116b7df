import { fold } from '#contract/folding.ts'
import { wordsOf } from '#contract/search-rules.ts'
import { sentenceOf } from './parsing/import-codes.ts'
import type { ImportedRow } from './parsing/imported.ts'

export const rowFilters = {
  all: 'All lines',
  tasks: 'Tasks',
  notes: 'Notes',
  parts: 'Parts of tasks and notes',
  remarks: 'Changed or left out in part',
  nothing: 'Left out',
} as const
export type RowFilter = keyof typeof rowFilters

const parts: ImportedRow['becomes'][] = ['checkbox', 'comment', 'text', 'list']

const shows: Record<RowFilter, (row: ImportedRow) => boolean> = {
  all: () => true,
  tasks: ({ becomes }) => becomes === 'task',
  notes: ({ becomes }) => becomes === 'note',
  parts: ({ becomes }) => parts.includes(becomes),
  remarks: ({ becomes, remarks }) => becomes !== 'nothing' && remarks.length > 0,
  nothing: ({ becomes }) => becomes === 'nothing',
}

/** How many rows each filter shows. */
export const countsOf = (rows: readonly ImportedRow[]): Record<RowFilter, number> =>
  Object.fromEntries(
    Object.entries(shows).map(([filter, shown]) => [filter, rows.filter(shown).length]),
  ) as Record<RowFilter, number>

/** A row is folded once, when somebody searches. */
const folded = new WeakMap<ImportedRow, string>()

function foldedOf(row: ImportedRow): string {
  const known = folded.get(row) ?? fold([row.text, row.place.file, ...row.remarks.map(sentenceOf)].join('\n'))
  folded.set(row, known)
  return known
}

/** The rows that a filter shows and that have all words of a search. */
export function shownRows(
  rows: readonly ImportedRow[],
  filter: RowFilter,
  search: string,
): readonly ImportedRow[] {
  const words = wordsOf(search)
  const isAll = filter === 'all' && words.length === 0
  return isAll
    ? rows
    : rows.filter((row) => shows[filter](row) && words.every((word) => foldedOf(row).includes(word)))
}
