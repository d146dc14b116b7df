import { searchedColumns } from '#contract/fields.ts'
import { foldedTexts } from '#contract/folding.ts'
import { summaryOf } from '#contract/note-summary.ts'
import { taskFields } from '#contract/task-fields.ts'

type Row = Record<string, string>

const taskTexts = searchedColumns(taskFields)

/** The columns of texts of the tables of items, and those that are made of them, as this version makes them. */
export const derivedTexts: Record<
  'tasks' | 'notes',
  { texts: string[]; derived: string[]; of(row: Row): Row }
> = {
  tasks: {
    texts: taskTexts,
    derived: ['folded'],
    of: (row) => ({ folded: foldedTexts(taskTexts.map((column) => row[column] ?? null)) }),
  },
  notes: {
    texts: ['text'],
    derived: ['title', 'snippet', 'folded'],
    of({ text = '' }) {
      const summary = summaryOf(text)
      return { ...summary, folded: foldedTexts([summary.title, text]) }
    },
  },
}
