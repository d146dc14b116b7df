import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { createGate } from '../../fairness/gate.ts'
import { currentParty, type Party, turn } from '../../fairness/turns.ts'
import { publishSeconds } from '../../measured.ts'
import type { Connections } from '../database.ts'

/** The connection to the server was lost or failed. The outcome of the last statement is unknown. */
export class ConnectionLost extends Error {}

/** PostgreSQL has ended a connection and rolled its transaction back, because this server left it idle for too long. */
export const leftIdle = '25P03'

type PoolOptions = {
  connections: number
  /** The time after which PostgreSQL cancels a statement. See session-settings.ts for how PostgreSQL gets it. */
  statementSeconds: number
  /** The time in milliseconds that a call waits for a connection, and that opening one may take. */
  connectTimeout: number
  prepared: boolean
}

/** In milliseconds. */
const responseDelay = 400

const maxPrepared = 256

/** Longer lists of parameters vary in length, so their statements would not be repeated. */
const maxPreparedParameters = 32

/**
 * Errors after which a new connection may work. With the first, the connection leads to a server that does not accept changes,
 * while the address may lead to another server by now. With the second, a prepared statement is older than the schema.
 */
const outdated = ['25006', '0A000']

/** In milliseconds. A younger connection is not replaced, because a new one would have the same error. */
const outdatedAfter = 1000

const oid = { int8: 20, date: 1082 }

/** Opens a pool for Kysely. Its errors are either from the server (`pg.DatabaseError`) or ConnectionLost. */
export function openPool(
  url: URL,
  { connections, statementSeconds, connectTimeout, prepared }: PoolOptions,
): PostgresPool & { count(): Connections } {
  const pool = new pg.Pool({
    connectionString: url.href,
    max: connections,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: statementSeconds * 1000 + responseDelay,
    pipeline: true,
    types: { getTypeParser },
  })
  surviveDisconnects(pool)
  const connect = waitingConnect(pool, connectTimeout)
  const openedAt = new WeakMap<object, number>()
  pool.on('connect', (client) => openedAt.set(client, performance.now()))
  const names = prepared ? namesOfStatements() : undefined
  /** The requests that have read something. They continue first, so that few hold what they have read while they wait. */
  const begun = new WeakSet<Party>()
  // The pool alone would be first come, first served, and one account with many calls would delay all other accounts. Some
  // connections are reserved, because requests of a few networks can hold all the rest while they wait for a lock or for a turn
  // of the event loop.
  const gate = createGate(
    {
      running: connections,
      reserved: Math.floor(connections / 8),
      waiting: Number.POSITIVE_INFINITY,
      longestWait: connectTimeout,
    },
    noConnection,
  )
  return {
    options: pool.options,
    count: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      max: connections,
      waiting: gate.waiting + pool.waitingCount,
    }),
    async connect() {
      const began = performance.now()
      const party = currentParty()
      const leave = await gate.enter(party.groups, begun.has(party))
      begun.add(party)
      try {
        const client = await connect()
        publishSeconds('connectionWait', began)
        return guard(client, openedAt.get(client) ?? 0, leave, names)
      } catch (error) {
        leave()
        return lost(error)
      }
    },
    end: () => pool.end(),
  }
}

/** The code of the error that the server, the database or the role has no connection left. */
const tooManyConnections = '53300'

/** In milliseconds. Connections of other processes may have been closed. */
const connectAgainAfter = 250

/**
 * Returns a function that gets a connection of the pool. If PostgreSQL gives no further one, it waits for those that are
 * open, as long as for the server.
 */
function waitingConnect(pool: pg.Pool, connectTimeout: number) {
  /** A released connection continues one of the waiting calls. */
  const waiting = new Set<() => void>()
  pool.on('release', () => waiting.values().next().value?.())
  const released = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(go, connectAgainAfter)
      function go() {
        clearTimeout(timer)
        waiting.delete(go)
        resolve()
      }
      waiting.add(go)
    })

  return async () => {
    const end = performance.now() + connectTimeout
    for (;;) {
      try {
        return await pool.connect()
      } catch (error) {
        const isFull = error instanceof pg.DatabaseError && error.code === tooManyConnections
        if (!isFull || performance.now() >= end) throw error
        await released()
      }
    }
  }
}

/** Opens a pool without timeouts, for migrations: one connection for the lock, and one for concurrent index builds. */
export function openPoolWithoutTimeouts(url: URL): PostgresPool {
  const pool = new pg.Pool({ connectionString: url.href, max: 2, types: { getTypeParser } })
  surviveDisconnects(pool)
  return pool
}

/** Returns a function that names the first statements, up to the maximum, and returns undefined for all others. */
function namesOfStatements() {
  const names = new Map<string, string>()
  return (text: string, parameters: readonly unknown[]) => {
    const known = names.get(text)
    const nameable = parameters.length > 0 && parameters.length <= maxPreparedParameters
    if (known || !nameable || names.size === maxPrepared) return known
    const name = `daymark_${names.size}`
    names.set(text, name)
    return name
  }
}

/** Without these listeners, an error on an idle connection would end the process. */
function surviveDisconnects(pool: pg.Pool) {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
}

/** A connection whose query timed out may still run the query, so it is not used again. */
function guard(
  client: pg.PoolClient,
  openedAt: number,
  leave: () => void,
  nameOf?: (text: string, parameters: readonly unknown[]) => string | undefined,
): PostgresPoolClient {
  let broken = false
  let beginning: Promise<pg.QueryResult> | undefined
  return {
    query: (async (text: string, values: unknown[]) => {
      if (text.startsWith('start transaction')) {
        // The next statement is sent without waiting for the answer, which saves a round trip. Its call fails if this one fails.
        beginning = client.query(text)
        beginning.catch(() => {})
        return { command: 'BEGIN', rowCount: null, rows: [] }
      }
      const began = performance.now()
      try {
        const name = nameOf?.(text, values)
        const query = client.query(name ? { name, text, values } : text, values)
        const begin = beginning
        beginning = undefined
        const [result] = await Promise.all([query, begin])
        // Many results can arrive in one turn of the event loop, and processing one takes as long as a query of SQLite. `commit`
        // has none to process, and a connection is free as soon as its transaction has ended.
        const wait = result.rowCount === null ? undefined : turn()
        if (wait) await wait
        return result
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) {
          broken = true
          return lost(error)
        }
        broken ||= error.code === leftIdle
        broken ||= outdated.includes(error.code ?? '') && performance.now() > openedAt + outdatedAfter
        throw error
      } finally {
        publishSeconds('statement', began)
      }
    }) as unknown as PostgresPoolClient['query'],
    release() {
      client.release(broken)
      leave()
    },
  }
}

const noConnection = () => new ConnectionLost('no connection to the database was free in time')

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
