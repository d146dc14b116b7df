import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

/** The connection to the server was lost or failed. The outcome of the last statement is unknown. */
export class ConnectionLost extends Error {}

/** In milliseconds. Together they limit each response to five seconds after the server becomes unreachable. */
const timeouts = { connect: 2500, statement: 2000, response: 2400 }

const oid = { int8: 20, date: 1082 }

/** Opens a pool for Kysely. Its errors are either from the server (`pg.DatabaseError`) or ConnectionLost. */
export function openPool(url: URL): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url.href,
    max: 20,
    connectionTimeoutMillis: timeouts.connect,
    statement_timeout: timeouts.statement,
    query_timeout: timeouts.response,
    types: { getTypeParser },
  })
  surviveDisconnects(pool)
  return {
    options: pool.options,
    connect: async () => guard(await pool.connect().catch(lost)),
    end: () => pool.end(),
  }
}

/** Opens a pool of one connection without timeouts, for migrations. */
export function openPoolWithoutTimeouts(url: URL): PostgresPool {
  const pool = new pg.Pool({ connectionString: url.href, max: 1, types: { getTypeParser } })
  surviveDisconnects(pool)
  return pool
}

/** Without these listeners, an error on an idle connection would end the process. */
function surviveDisconnects(pool: pg.Pool) {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}

/** A connection whose query timed out may still run the query, so it is not used again. */
function guard(client: pg.PoolClient): PostgresPoolClient {
  let broken = false
  return {
    query: (async (sql: string, parameters: unknown[]) => {
      try {
        return await client.query(sql, parameters)
      } catch (error) {
        if (error instanceof pg.DatabaseError) throw error
        broken = true
        return lost(error)
      }
    }) as unknown as PostgresPoolClient['query'],
    release: () => client.release(broken),
  }
}

function lost(cause: unknown): never {
  if (cause instanceof pg.DatabaseError) throw cause
  throw new ConnectionLost('the database cannot be reached', { cause })
}

/** Parses int8 as a number, because counts and timestamps are far below 2^53, and dates as text. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  if (type === oid.int8) return Number
  if (type === oid.date) return String
  return pg.types.getTypeParser(type, format as 'text')
}
