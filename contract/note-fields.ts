import { deletedAt, type Fields } from './fields.ts'
import { noteLength } from './limits.ts'

/** Markdown, stored exactly as it was typed. */
export const NoteText = { type: 'string', format: 'text', maxLength: noteLength.max } as const

export const noteFields = {
  text: { schema: NoteText, column: 'text', type: 'text', isSearched: true, needsBase: true },
  pinned: { schema: { type: 'boolean' }, column: 'pinned', type: 'flag', default: false },
  deletedAt,
} as const satisfies Fields
