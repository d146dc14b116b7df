import { foldedTexts } from '#contract/folding.ts'
import { summaryOf } from '#contract/note-summary.ts'

type Row = Record<string, string>

/** The columns of texts of the tables of items, and those that are made of them, as this version makes them. */
export const derivedTexts: Record<
  'tasks' | 'notes',
  { texts: string[]; derived: string[]; of(row: Row): Row }
> = {
  tasks: {
    texts: ['title', 'body'],
    derived: ['folded'],
    of: ({ title = '', body = '' }) => ({ folded: foldedTexts([title, body]) }),
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
