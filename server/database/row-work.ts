import { sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import type { ColumnTypes } from './column-types.ts'
import type { Db } from './schema.ts'

/**
 * A part of the work on the rows of a table: those that come after `last`, or the first ones. Returns the place at which the part
 * ends; undefined after the last row. Servers of earlier versions write meanwhile.
 */
export type RowWork = (db: Db, types: ColumnTypes, last: string | undefined) => Promise<string | undefined>

/** The table exists while work is unfinished. Its row has the number of the part that is under way, and where that is. */
const name = 'unfinished_rows'
const progress = sql.table(name)

export async function isUnfinished(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables()
  return tables.some((table) => table.name === name)
}

export async function beginRows(db: Db): Promise<void> {
  if (await isUnfinished(db)) return
  await sql`create table ${progress} (step integer not null, last text)`.execute(db)
  await sql`insert into ${progress} (step) values (0)`.execute(db)
}

/** Does the next part of the work of a migration, and records the migration after the last one. */
export async function workOnRows(db: Db, types: ColumnTypes, migration: string, works: readonly RowWork[]) {
  const { rows } = await sql<{
    step: number
    last: string | null
  }>`select step, last from ${progress}`.execute(db)
  const { step, last } = rows[0] ?? { step: 0, last: null }
  const end = await works[step]?.(db, types, last ?? undefined)
  const next = end === undefined ? step + 1 : step
  if (next < works.length)
    return void (await sql`update ${progress} set step = ${next}, last = ${end ?? null}`.execute(db))
  await sql`drop table ${progress}`.execute(db)
  const at = new Date().toISOString()
  await sql`insert into ${sql.table(DEFAULT_MIGRATION_TABLE)} (name, timestamp) values (${migration}, ${at})`.execute(
    db,
  )
}
