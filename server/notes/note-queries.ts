import { sql } from 'kysely'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import type { Position } from '../http/cursor.ts'
import { findNote, type SummaryRow, savedText, summaryColumns } from './note-kind.ts'
import { versionsOf } from './note-versions.ts'

/** The order of lists of notes, descending. */
const orders = {
  notes: ['pinned', 'changed_at', 'id'],
  deleted: ['deleted_at', 'id'],
} as const
type NoteList = keyof typeof orders

const partOf = { pinned: 'small', changed_at: 'instant', deleted_at: 'instant', id: 'id' } as const

export const partsOf = (list: NoteList) => orders[list].map((column) => partOf[column])

type Values = { owner: string; limit: number; [index: number]: string | number }

/** The statement of a list, from its start or from a position, whose values are named by their indexes. */
const statementOf = (list: NoteList, isContinued: boolean) =>
  compiledQuery((db, value: Values) => {
    const columns = orders[list]
    let query = db
      .selectFrom('notes')
      .select(summaryColumns)
      .where('user_id', '=', value.owner)
      .where('deleted_at', list === 'deleted' ? 'is not' : 'is', null)
    if (isContinued) {
      const position = sql.join(columns.map((column) => sql.ref(column)))
      const after = sql.join(columns.map((_, index) => value[index]))
      query = query.where(sql<boolean>`(${position}) < (${after})`)
    }
    for (const column of columns) query = query.orderBy(column, 'desc')
    return query.limit(sql<number>`${value.limit}`)
  })

const statements = {
  notes: { fromStart: statementOf('notes', false), fromPosition: statementOf('notes', true) },
  deleted: { fromStart: statementOf('deleted', false), fromPosition: statementOf('deleted', true) },
}

/** Returns the owner's next notes of a list, without their texts, and the position to continue from if there are more. */
export async function findNotes(
  db: Db,
  owner: string,
  list: NoteList,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<{ notes: SummaryRow[]; next: Position | undefined }> {
  const statement = after ? statements[list].fromPosition : statements[list].fromStart
  const { rows } = await statement(db, { ...after, owner, limit: limit + 1 })
  const notes = rows.slice(0, limit)
  const last = notes.at(-1)
  const isLast = rows.length <= limit || !last
  return { notes, next: isLast ? undefined : orders[list].map((column) => last[column] ?? 0) }
}

/** Returns the text that the owner's change number `seq` saved in a note, if it is kept. */
export async function findVersion(db: Db, owner: string, id: string, seq: number) {
  const note = await findNote(db, owner, id)
  if (note?.saved_seq === seq) return savedText(note)
  return await versionsOf(db, owner)
    .select(['seq', 'at', 'device', 'by', 'text'])
    .where('seq', '=', seq)
    .where('note_id', '=', id)
    .executeTakeFirst()
}
