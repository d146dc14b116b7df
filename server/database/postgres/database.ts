import { Kysely, PostgresDialect, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import type { Config } from '../../config.ts'
import { ConfigError } from '../../environment.ts'
import type { Database } from '../database.ts'
import { probeSchema, requireSchema } from '../migrate.ts'
import type { Db, Schema } from '../schema.ts'
import { hasCitus, ofReachableShards, requireDistribution, shardsOf } from './citus.ts'
import { codeOf, explainPostgres, isOfOnePart } from './errors.ts'
import { migratePostgres } from './migrations.ts'
import { openPool } from './pool.ts'
import { type Settings, urlWithSettings } from './session-settings.ts'
import { queueWritesByOwner } from './writer.ts'

/** Opens PostgreSQL 14 or later, or an engine that supports its protocol and SQL. */
export async function openPostgres(url: URL, options: Config['database']): Promise<Database> {
  const settings = {
    statement_timeout: String(options.statementSeconds * 1000),
    // A server that is paused, or whose machine has lost its power, keeps its locks until then.
    idle_in_transaction_session_timeout: '10000',
    // Reads are single statements outside a transaction. The other levels can make even those fail with a conflict.
    default_transaction_isolation: 'read committed',
  }
  const poolUrl = await urlWithSettings(url, settings, options.connectTimeout)
  if (!poolUrl) throw lostSettings(url, settings)
  if (options.migrate) await migratePostgres(url, options)
  const pool = openPool(poolUrl, options)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  let isCitus: boolean
  try {
    if (!options.migrate) await requireSchema(db, 'postgres')
    await requireDistribution(db)
    isCitus = await hasCitus(db)
    if (options.prepared && options.connections > 1) await rejectLostStatements(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    read: db,
    write: queueWritesByOwner(db),
    async snapshot(work) {
      const own = new Kysely<Schema>({
        dialect: new PostgresDialect({ pool: openPool(poolUrl, { ...options, connections: 1 }) }),
      })
      try {
        const transaction = own.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
        return await transaction.execute(async (db) => {
          // It locks nothing, and a slow download pauses it. The caller limits it.
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
          return await work(db)
        })
      } finally {
        await own.destroy()
      }
    },
    isOfOnePart,
    explain: explainPostgres,
    async probe() {
      // Locks no row, but fails where a change would: on a standby and in a read-only session.
      await sql`select 1 from ${sql.table(DEFAULT_MIGRATION_TABLE)} where false for update`.execute(db)
      await probeSchema(db, 'postgres')
    },
    // The PostgreSQL server is responsible for its files.
    fault: () => undefined,
    inspect: async () => {},
    connections: pool.count,
    ...(isCitus && {
      shardsOf: (userIds) => shardsOf(db, userIds),
      ofReachableParts: (table, query) => ofReachableShards(db, table, query),
    }),
    close: () => db.destroy(),
  }
}

function lostSettings(url: URL, settings: Settings) {
  const quoted = (name: string) => `"${decodeURIComponent(name).replaceAll('"', '""')}"`
  const statements = Object.entries(settings).map(
    ([name, value]) => `alter role ${quoted(url.username)} set ${name} = '${value}';`,
  )
  return new ConfigError(
    `DATABASE_URL: the connection pooler does not pass on the settings of a connection. In PostgreSQL, run: ${statements.join(' ')} Then reconnect the pooler (RECONNECT in PgBouncer's console) and start again: see "Connection poolers" in docs/operating.md`,
  )
}

/** The codes of a prepared statement that does not exist, and of one that exists already. */
const lostStatement = ['26000', '42P05']

const prepared = (db: Db) => sql`select ${1}::int`.execute(db)

/**
 * Throws if a connection pooler loses prepared statements. A pooler loses a statement if it runs the statement on another
 * connection to PostgreSQL than the one that has prepared it, because a transaction of another client uses that one.
 */
async function rejectLostStatements(db: Db): Promise<void> {
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
