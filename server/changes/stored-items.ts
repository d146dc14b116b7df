import type { Kysely } from 'kysely'
import { foldedTexts } from '#contract/folding.ts'
import { columnsOf, compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import { inTurns } from '../fairness/turns.ts'
import { bytesOfTexts, type ItemRow } from './field-values.ts'

/** The columns that the table of every kind has; the others are those of its fields. */
type ItemTable = ItemRow & { user_id: string; folded: string }

/** The tables of items, by whatever name. */
export const itemTables = (db: Db) => db as unknown as Kysely<Record<string, ItemTable>>

export const itemsOf = (db: Db, table: string, owner: string) =>
  itemTables(db).selectFrom(table).where('user_id', '=', owner)

/**
 * The log of a user. A query that looks for changes by another column than their number has a subquery, which finds the numbers by an
 * index alone: otherwise SQLite prefers the primary key and reads the whole log. The same is true of versions.
 */
export const changesOf = (db: Db, owner: string) => db.selectFrom('changes').where('user_id', '=', owner)

type Table = {
  table: string
  columns: readonly string[]
  /** The columns of texts, which may be long: most changes of an item change none, and are stored without them. */
  texts: readonly string[]
  logged: readonly string[]
  textsOf(row: ItemRow): (string | null)[]
}

export function storedItems({ table, columns, texts, logged, textsOf }: Table) {
  const storedBytes = bytesOfTexts(texts)
  const withFolded = (owner: string, row: ItemRow) => ({
    user_id: owner,
    ...row,
    folded: foldedTexts(textsOf(row)),
  })
  const short = ['version', ...logged.filter((column) => !texts.includes(column))]
  const written = columns.filter((column) => column !== 'id' && column !== 'created_at')

  const selectOne = compiledQuery((db, value: { owner: string; id: string }) =>
    itemsOf(db, table, value.owner).select(columns).where('id', '=', value.id),
  )
  const insertOne = compiledQuery((db, row: ItemTable) =>
    itemTables(db)
      .insertInto(table)
      .values(columnsOf(row, ['user_id', ...columns, 'folded']) as ItemTable),
  )
  const updateOf = (names: string[]) =>
    compiledQuery((db, row: ItemTable) =>
      itemTables(db)
        .updateTable(table)
        .set(columnsOf(row, names))
        .where('user_id', '=', row.user_id)
        .where('id', '=', row.id),
    )
  const [updateShort, updateAll] = [updateOf(short), updateOf([...written, 'folded'])]

  return {
    storedBytes,

    async sizeOf(db: Db, owner: string, ids: string[]): Promise<number> {
      const sizes = await itemsOf(db, table, owner)
        .select(storedBytes.as('bytes'))
        .where('id', 'in', ids)
        .execute()
      return sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    },

    async select(db: Db, owner: string, ids: string[]): Promise<ItemRow[]> {
      const [id] = ids
      if (id === undefined) return []
      if (ids.length === 1) return (await selectOne(db, { owner, id })).rows as ItemRow[]
      return (await itemsOf(db, table, owner).select(columns).where('id', 'in', ids).execute()) as ItemRow[]
    },

    async insert(db: Db, owner: string, rows: ItemRow[]) {
      const [only] = rows
      if (only && rows.length === 1) return void (await insertOne(db, withFolded(owner, only)))
      const stored = await inTurns(rows, (row) => withFolded(owner, row))
      await itemTables(db).insertInto(table).values(stored).execute()
    },

    update: (db: Db, owner: string, row: ItemRow, edited: ReadonlySet<string>) =>
      texts.some((column) => edited.has(column))
        ? updateAll(db, withFolded(owner, row))
        : updateShort(db, { user_id: owner, folded: '', ...row }),
  }
}
