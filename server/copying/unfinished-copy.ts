import { sql } from 'kysely'
import { Refusal } from '../command.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { ConfigError } from '../environment.ts'
import { tableNames } from './table-rows.ts'

// A table that is in the target for as long as a move into it is not finished, and says where the rows come from.
// Without it, rows in the target are somebody's data and nothing is copied over them.
const marker = sql.table('unfinished_move')

/** Marks the target as filled from `source`, or refuses one that holds anything but an earlier try of the same move. */
export async function beginMove(target: Database, source: string): Promise<void> {
  await target.write(async (db) => {
    if (await isMarked(db)) {
      const { rows } = await sql<{ source: string }>`select source from ${marker}`.execute(db)
      if (rows[0]?.source === source) return
      throw new Refusal(
        `--to holds an unfinished move from ${rows[0]?.source ?? 'elsewhere'}; empty it first`,
      )
    }
    for (const table of tableNames) {
      const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
      if (rows.length > 0)
        throw new Refusal(`--to is not empty: there are ${table} in it; choose an empty database`)
    }
    await sql`create table ${marker} (source text not null)`.execute(db)
    await sql`insert into ${marker} (source) values (${source})`.execute(db)
  })
}

export async function endMove(target: Database): Promise<void> {
  await target.write(async (db) => {
    await sql`drop table ${marker}`.execute(db)
  })
}

/** A server that started on half a database would add to it, and the move could never be finished. */
export async function refuseUnfinishedMove({ read }: Database): Promise<void> {
  const marked = await sql`select 1 from ${marker} limit 1`.execute(read).then(
    () => true,
    // No such table, as a rule. Looking for it among all tables takes some engines seconds.
    () => false,
  )
  if (marked) {
    throw new ConfigError(
      'DATABASE_URL leads to a database that an unfinished move has left half full; finish the move, or empty it',
    )
  }
}

async function isMarked(db: Db): Promise<boolean> {
  const existing = await db.introspection.getTables()
  return existing.some(({ name }) => name === 'unfinished_move')
}
