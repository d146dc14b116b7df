import { toInstant } from '#contract/fields.ts'
import { notesPerUser, rowBytes } from '#contract/limits.ts'
import { noteFields } from '#contract/note-fields.ts'
import { summaryOf } from '#contract/note-summary.ts'
import type { Note, NoteSummary } from '#contract/notes.ts'
import type { ItemRow, Values } from '../changes/field-values.ts'
import { type Edit, jsonOf, type Kept, kindOf } from '../changes/item-kind.ts'
import { tooMany } from '../changes/locked-account.ts'
import type { Db, Schema } from '../database/schema.ts'
import { deleteVersions, insertVersion, selectText } from './note-versions.ts'

/** One session's consecutive saves of a note become one version, until it is this old in milliseconds. */
export const versionLength = 5 * 60_000

/** A stored note, without its folded text for searches. */
export type NoteRow = Omit<Schema['notes'], 'user_id' | 'folded'>
export type SummaryRow = Pick<NoteRow, (typeof summaryColumns)[number]>

/** The columns that lists show. None of these is long. */
export const summaryColumns = [
  ...(['id', 'version', 'pinned', 'created_at', 'changed_at', 'deleted_at', 'title', 'snippet'] as const),
] as const satisfies (keyof NoteRow)[]

const savedBy = (text: string, { seq, device, by, now }: Edit) => ({
  ...{ text, ...summaryOf(text) },
  ...{ saved_seq: seq, saved_by: device, saved_by_name: by, changed_at: now },
})

type SavedText = Pick<NoteRow, 'saved_seq' | 'changed_at' | 'saved_by' | 'saved_by_name' | 'text'>

/** The text of a note, with the change that saved it, as versions have it. */
export const savedText = (row: SavedText) => ({
  ...{ seq: row.saved_seq, at: row.changed_at, device: row.saved_by, by: row.saved_by_name, text: row.text },
})

const keep = (row: NoteRow): Kept => {
  const [saved, note_id] = [savedText(row), row.id]
  return {
    bytes: Buffer.byteLength(saved.text) + rowBytes,
    store: (db, user_id) => insertVersion(db, { user_id, note_id, ...saved, thinned: 0 }),
  }
}

export const toSummary = (row: SummaryRow): NoteSummary => {
  const { text: _, ...fields } = jsonOf(noteFields, row)
  const { id: _id, title, snippet, version } = row
  const instants = { createdAt: toInstant(row.created_at), changedAt: toInstant(row.changed_at) }
  return { _id, title, snippet, version, ...instants, ...fields } as NoteSummary
}

export const noteKind = kindOf({
  name: 'note',
  table: 'notes',
  fields: noteFields,
  ownColumns: ['saved_seq', 'saved_by', 'saved_by_name', 'version_since', 'changed_at', 'title', 'snippet'],
  textsOf: ({ title, text }) => [title, text] as string[],
  more: ({ changed_at }) => ({ changedAt: toInstant(Number(changed_at)) }),
  summary: { columns: summaryColumns, toItem: (row) => toSummary(row as unknown as SummaryRow) },
  removeKept: deleteVersions,
  limit: {
    max: notesPerUser,
    error: () => tooMany(notesPerUser, 'notes'),
    fits: async (db, owner) => (await countNotes(db, owner)) <= notesPerUser,
  },

  create: ({ text }, edit) => ({ version_since: edit.now, ...savedBy(String(text), edit) }),

  /**
   * The logged old values contain, instead of the earlier text, the number of the change that saved it. A save that continues
   * a version logs no number, and its earlier text is not kept.
   */
  loggedAs: { text: 'version' },

  edit(item, columns, { text, ...values }, edit) {
    const row = item as unknown as NoteRow
    const logged = columns.filter((column) => column !== 'text')
    const before: Values = Object.fromEntries(logged.map((column) => [column, item[column] ?? null]))
    for (const column of logged) Object.assign(row, { [column]: values[column] })
    if (!columns.includes('text')) return { before }
    const kept = isContinued(row, edit) ? undefined : keep(row)
    if (kept) {
      before.version = row.saved_seq
      row.version_since = edit.now
    }
    Object.assign(row, savedBy(String(text), edit))
    return { before, ...(kept && { kept }) }
  },

  async valuesBefore(db, owner, { version, ...values }) {
    if (version === undefined) return values
    const text = await selectText(db, owner, Number(version))
    return text === undefined ? undefined : { ...values, text }
  },
})

export async function findNote(db: Db, owner: string, id: string): Promise<NoteRow | undefined> {
  return (await noteKind.select(db, owner, [id]))[0] as unknown as NoteRow | undefined
}

export const toNote = (row: NoteRow) => noteKind.toItem(row as unknown as ItemRow) as Note

/** The clocks of servers may differ, so the beginning of the version may be in the future. */
const isContinued = (row: NoteRow, { device, now, isStep }: Edit) =>
  !isStep && row.saved_by === device && Math.abs(now - row.version_since) < versionLength

/** Returns how many notes the owner has that are not deleted, or one more than are allowed. */
export async function countNotes(db: Db, owner: string): Promise<number> {
  // In the order of an index: otherwise SQLite prefers the primary key and reads every note.
  const notes = db
    .selectFrom('notes')
    .select('id')
    .where('user_id', '=', owner)
    .where('deleted_at', 'is', null)
    .orderBy('pinned')
    .orderBy('changed_at')
    .limit(notesPerUser + 1)
  const { count } = await db
    .selectFrom(notes.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
