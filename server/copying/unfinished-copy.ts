import { sql } from 'kysely'
import { CommandError } from '../command.ts'
import type { Database } from '../database/database.ts'
import { type Db, tableNames } from '../database/schema.ts'
import { ConfigError } from '../environment.ts'

// While a copy into the target database is unfinished, the target has this table, whose one row names the source. If the target
// has rows but not this table, it holds other data, and the copy is rejected. The table keeps the name that it had when the
// command was called `move-database`, because existing databases may contain it.
const tableName = 'unfinished_move'
const marker = sql.table(tableName)

/** Marks the target as being copied from `source`. Rejects a target with any data except an unfinished copy of it. */
export async function markCopyStarted(target: Database, source: string): Promise<void> {
  await target.write(async (db) => {
    if (await isMarked(db)) {
      const { rows } = await sql<{ source: string }>`select source from ${marker}`.execute(db)
      if (rows[0]?.source === source) return
      throw new CommandError(
        `--to contains an unfinished copy of ${rows[0]?.source ?? 'another database'}; empty it first`,
      )
    }
    for (const table of tableNames) {
      // The first server on a database makes its keys, which nothing uses until there are users.
      if (table === 'push') continue
      const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
      if (rows.length > 0)
        throw new CommandError(`--to is not empty: it contains ${table}; choose an empty database`)
    }
    await db.deleteFrom('push').execute()
    await sql`create table ${marker} (source text not null)`.execute(db)
    await sql`insert into ${marker} (source) values (${source})`.execute(db)
  })
}

export async function markCopyFinished(target: Database): Promise<void> {
  await target.write(async (db) => {
    await sql`drop table ${marker}`.execute(db)
    // Two servers with the same data would both remind.
    await db.updateTable('push').set({ is_on: 0 }).execute()
  })
}

/** Throws if the database is the target of an unfinished copy: a server's writes would make it impossible to resume. */
export async function rejectUnfinishedCopy({ read }: Database): Promise<void> {
  const marked = await sql`select 1 from ${marker} limit 1`.execute(read).then(
    () => true,
    // Usually because the table does not exist. Listing all tables instead takes seconds on some engines.
    () => false,
  )
  if (marked) {
    throw new ConfigError(
      'DATABASE_URL: the database contains an unfinished copy; run copy-database again to finish it, or use another database',
    )
  }
}

async function isMarked(db: Db): Promise<boolean> {
  const existing = await db.introspection.getTables()
  return existing.some(({ name }) => name === tableName)
}
