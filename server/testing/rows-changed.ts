import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Database } from '../database/database.ts'
import type { Engine } from './engines.ts'

/** Rows of every table that the transaction has deleted so far, cascades included; on SQLite also the rows that it changed. */
const changedSoFar = {
  sqlite: sql<{ count: number }>`select total_changes() as count`,
  postgres: sql<{ count: number }>`
    select coalesce(sum(n_tup_del), 0)::int as count from pg_stat_xact_user_tables`,
}

/** Returns an array that gets the number of rows which each later write deletes or, on SQLite, changes. */
export function rowsChangedByWrites(engine: Engine, database: Database): number[] {
  const counts: number[] = []
  const { write } = database
  vi.spyOn(database, 'write').mockImplementation((work) =>
    write(async (db) => {
      const count = async () => (await changedSoFar[engine].execute(db)).rows[0]?.count ?? 0
      const before = await count()
      const result = await work(db)
      counts.push((await count()) - before)
      return result
    }),
  )
  return counts
}
