import { notesPerUser } from '#contract/limits.ts'
import { foldedOf } from '#contract/search.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import type { Version } from './item-kind.ts'
import { type NoteRow, noteColumns, textBytes } from './note-row.ts'

/** Returns the total size of the texts of the owner's notes with these ids. */
export async function sizeOfNotes(db: Db, owner: string, ids: string[]): Promise<number> {
  const sizes = await db
    .selectFrom('notes')
    .select(textBytes.as('bytes'))
    .where('user_id', '=', owner)
    .where('id', 'in', ids)
    .execute()
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Returns the owner's notes with these ids, deleted or not. */
export async function selectNotes(db: Db, owner: string, ids: string[]): Promise<NoteRow[]> {
  const [id] = ids
  if (id === undefined) return []
  if (ids.length === 1) return (await selectNote(db, { owner, id })).rows
  return await db
    .selectFrom('notes')
    .select(noteColumns)
    .where('user_id', '=', owner)
    .where('id', 'in', ids)
    .execute()
}

const selectNote = compiledQuery((db, value: { owner: string; id: string }) =>
  db.selectFrom('notes').select(noteColumns).where('user_id', '=', value.owner).where('id', '=', value.id),
)

/** Returns the owner's note with this id, deleted or not. */
export async function findNote(db: Db, owner: string, id: string): Promise<NoteRow | undefined> {
  return (await selectNote(db, { owner, id })).rows[0]
}

/** A row as it is stored. */
const withFolded = (owner: string, row: NoteRow) => ({
  user_id: owner,
  ...row,
  folded: foldedOf({ title: row.title, body: row.text }),
})

export async function insertNotes(db: Db, owner: string, rows: NoteRow[]) {
  await db
    .insertInto('notes')
    .values(rows.map((row) => withFolded(owner, row)))
    .execute()
}

const updateText = compiledQuery((db, row: ReturnType<typeof withFolded>) =>
  db
    .updateTable('notes')
    .set({
      version: row.version,
      pinned: row.pinned,
      changed_at: row.changed_at,
      deleted_at: row.deleted_at,
      saved_seq: row.saved_seq,
      saved_by: row.saved_by,
      version_since: row.version_since,
      title: row.title,
      snippet: row.snippet,
      text: row.text,
      folded: row.folded,
    })
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id),
)

type Facts = Pick<NoteRow, 'id' | 'version' | 'pinned' | 'deleted_at'> & { owner: string }

/** Without the text, which may be long. */
const updateFacts = compiledQuery((db, row: Facts) =>
  db
    .updateTable('notes')
    .set({ version: row.version, pinned: row.pinned, deleted_at: row.deleted_at })
    .where('user_id', '=', row.owner)
    .where('id', '=', row.id),
)

/** Stores an edited row, of which these columns were edited. */
export async function updateNote(db: Db, owner: string, row: NoteRow, edited: ReadonlySet<string>) {
  if (edited.has('text')) await updateText(db, withFolded(owner, row))
  else await updateFacts(db, { owner, ...row })
}

/** Returns whether the owner has at most `notesPerUser` notes that are not deleted. */
export async function fitsNotes(db: Db, owner: string): Promise<boolean> {
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
  return Number(count) <= notesPerUser
}

export const insertVersion = compiledQuery((db, row: Version & { user_id: string }) =>
  db.insertInto('versions').values({
    user_id: row.user_id,
    seq: row.seq,
    note_id: row.note_id,
    at: row.at,
    device: row.device,
    thinned: row.thinned,
    text: row.text,
  }),
)

/** Returns the earlier text that the owner's change number `seq` saved, if it is kept. */
export async function selectText(db: Db, owner: string, seq: number): Promise<string | undefined> {
  const version = db.selectFrom('versions').select('text').where('user_id', '=', owner)
  return (await version.where('seq', '=', seq).executeTakeFirst())?.text
}
