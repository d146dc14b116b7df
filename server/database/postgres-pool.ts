import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

/** The server was lost, or never reached: what it did last is not known. */
export class ConnectionLost extends Error {}

/** Milliseconds; together they keep every answer within five seconds of the server going away. */
const patience = { connect: 2500, statement: 2000, answer: 2400 }

const oid = { int8: 20, date: 1082 }

/** A pool for Kysely whose every error is either the server's own answer (`pg.DatabaseError`) or ConnectionLost. */
export function openPool(url: URL): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url.href,
    max: 20,
    connectionTimeoutMillis: patience.connect,
    statement_timeout: patience.statement,
    query_timeout: patience.answer,
    types: { getTypeParser },
  })
  surviveDisconnects(pool)
  return {
    options: pool.options,
    connect: async () => guard(await pool.connect().catch(lost)),
    end: () => pool.end(),
  }
}

/** One connection without time limits, for work that may take as long as it needs. */
export function openPatientPool(url: URL): PostgresPool {
  const pool = new pg.Pool({ connectionString: url.href, max: 1, types: { getTypeParser } })
  surviveDisconnects(pool)
  return pool
}

/** Without these listeners a connection that breaks while nobody waits on it would end the process. */
function surviveDisconnects(pool: pg.Pool) {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}

/** A connection that failed to answer may still be busy with the question, so it is never used again. */
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

/** Counts and instants are far below 2^53, and a day is the text it is written as. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  if (type === oid.int8) return Number
  if (type === oid.date) return String
  return pg.types.getTypeParser(type, format as 'text')
}
