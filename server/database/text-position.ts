import { type Expression, type RawBuilder, SqliteAdapter, sql } from 'kysely'
import type { Db } from './schema.ts'

/** The SQL of where a text contains another, from 1; 0 if it does not. No character has a special meaning. */
export function positionIn(db: Db, text: Expression<string>, part: string): RawBuilder<number> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  return isSqlite ? sql<number>`instr(${text}, ${part})` : sql<number>`strpos(${text}, ${part})`
}
