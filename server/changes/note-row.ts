import { sql } from 'kysely'
import type { Note, NoteSummary } from '#contract/notes.ts'
import type { Schema } from '../database/schema.ts'
import { toInstant, toInstantOrNull } from './task-row.ts'

export type NoteRow = Omit<Schema['notes'], 'user_id' | 'folded'>
export type SummaryRow = Pick<NoteRow, (typeof summaryColumns)[number]>

/** What lists show. None of these is long. */
export const summaryColumns = [
  ...(['id', 'version', 'pinned', 'created_at', 'changed_at', 'deleted_at', 'title', 'snippet'] as const),
] as const satisfies (keyof NoteRow)[]

export const noteColumns = [
  ...summaryColumns,
  ...(['saved_seq', 'saved_by', 'version_since', 'text'] as const),
] as const satisfies (keyof NoteRow)[]

const shared = (row: Omit<SummaryRow, 'title' | 'snippet'>) => ({
  pinned: row.pinned === 1,
  createdAt: toInstant(row.created_at),
  changedAt: toInstant(row.changed_at),
  version: row.version,
  deletedAt: toInstantOrNull(row.deleted_at),
})

export const toNote = (row: NoteRow): Note => ({ _id: row.id, text: row.text, ...shared(row) })

export const toSummary = (row: SummaryRow): NoteSummary => ({
  _id: row.id,
  title: row.title,
  snippet: row.snippet,
  ...shared(row),
})

/** The bytes of a note or of an earlier text that count towards its owner's `stored_bytes`, in SQL and in TypeScript. */
export const textBytes = sql<number>`octet_length(text)`
export const bytesOfText = ({ text }: { text: string }) => Buffer.byteLength(text)

/** The bytes of an earlier text besides the text that count too: its row and its index entries. */
export const versionBytes = 256
