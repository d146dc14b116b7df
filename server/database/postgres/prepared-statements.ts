import { sql } from 'kysely'
import { ConfigError } from '../../environment.ts'
import type { Db } from '../schema.ts'
import { codeOf } from './errors.ts'

/** The codes of a prepared statement that does not exist, and of one that exists already. */
const lostStatement = ['26000', '42P05']

const prepared = (db: Db) => sql`select ${1}::int`.execute(db)

/**
 * Throws if a connection pooler loses prepared statements. A pooler loses a statement if it runs the statement on another
 * connection to PostgreSQL than the one that has prepared it, because a transaction of another client uses that one.
 */
export async function rejectLostStatements(db: Db): Promise<void> {
  try {
    await db.connection().execute(async (connection) => {
      await prepared(connection)
      await db.transaction().execute(() => prepared(connection))
    })
  } catch (error) {
    if (!lostStatement.includes(codeOf(error))) throw error
    throw new ConfigError(
      'POSTGRES_PREPARED must be off: the connection pooler does not keep prepared statements; PgBouncer does from 1.21 on, with max_prepared_statements',
      { cause: error },
    )
  }
}
