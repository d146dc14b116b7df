import { type Expression, type RawBuilder, SqliteAdapter, sql } from 'kysely'
import type { Db } from './schema.ts'

export type JsonText = {
  object(fields: [name: string, value: Expression<unknown>][]): RawBuilder<string>
  /** An instant in milliseconds as `toISOString` writes it, for the years 0001 to 9999; null for null. */
  instant(milliseconds: Expression<number>): RawBuilder<string>
}

const listOf = (fields: [string, Expression<unknown>][]) =>
  sql.join(fields.flatMap(([name, value]) => [sql.lit(name), value]))

const sqlite: JsonText = {
  object: (fields) => sql`json_object(${listOf(fields)})`,
  // `strftime` takes twice as long, and every listed task has an instant.
  instant: (at) => sql`replace(datetime(${at} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'`,
}

const postgres: JsonText = {
  object: (fields) => sql`cast(json_build_object(${listOf(fields)}) as text)`,
  // Seconds and milliseconds apart: their product with an interval is a float, which a far instant does not fit into.
  instant: (at) => sql`to_char(
    timestamp 'epoch' + ${at} / 1000 * interval '1 second' + ${at} % 1000 * interval '1 millisecond',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
  )`,
}

export const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter

export const jsonTextIn = (db: Db): JsonText => (isSqlite(db) ? sqlite : postgres)

/** The SQL of where a text contains another, from 1; 0 if it does not. No character has a special meaning. */
export function positionIn(db: Db, text: Expression<string>, part: string): RawBuilder<number> {
  return isSqlite(db) ? sql<number>`instr(${text}, ${part})` : sql<number>`strpos(${text}, ${part})`
}
