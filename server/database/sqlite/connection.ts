import { DatabaseSync } from 'node:sqlite'
import { atEndOfCallback } from '../../fairness/turns.ts'
import type { Db } from '../schema.ts'
import { type OnError, sqliteKysely } from './dialect.ts'

/** SQLite truncates the WAL file to this size in bytes when it returns to its beginning. A burst may grow it further. */
export const walSizeLimit = 64 * 1024 * 1024

/**
 * The number of pages in the WAL after which they are copied into the file. Four times SQLite's default: a page that changed more than
 * once is copied once. A checkpoint blocks all calls, for about 50 ms.
 */
export const checkpointPages = 4000

/** In milliseconds. */
const lockTimeout = 5000

export type SqliteConnection = { file: DatabaseSync; db: Db }

/** Opens a connection that writes. It waits for locks inside SQLite for so many milliseconds. */
export function connect(path: string, onError: OnError, timeout = lockTimeout): SqliteConnection {
  const file = open(path, timeout)
  return { file, db: sqliteKysely(file, onError) }
}

/**
 * Opens a connection for queries. The queries of one callback of the event loop read the same state. After `refresh`, the next
 * query reads the newest state.
 */
export function connectReader(path: string, onError: OnError): SqliteConnection & { refresh(): void } {
  const file = open(path, lockTimeout)
  const snapshot = snapshotPerCallback(file, onError)
  return { file, db: sqliteKysely(file, onError, snapshot.open), refresh: snapshot.close }
}

function open(path: string, timeout: number): DatabaseSync {
  const file = new DatabaseSync(path, { timeout, enableForeignKeyConstraints: true })
  try {
    file.exec('pragma journal_mode = wal')
  } catch (error) {
    file.close()
    throw error
  }
  file.exec('pragma synchronous = full')
  file.exec(`pragma wal_autocheckpoint = ${checkpointPages}`)
  file.exec(`pragma journal_size_limit = ${walSizeLimit}`)
  assertPragma(file, 'journal_mode', 'wal')
  assertPragma(file, 'synchronous', 2)
  return file
}

/** Acknowledged writes are on disk only with these settings, so the server does not start without them. */
function assertPragma(file: DatabaseSync, name: string, expected: string | number) {
  const actual = Object.values(file.prepare(`pragma ${name}`).get() ?? {})[0]
  if (actual !== expected) throw new Error(`SQLite has ${name} = ${actual} instead of ${expected}`)
}

type Snapshot = {
  /** Called before each query. */
  open(): void
  /** Called before each commit of the writer. */
  close(): void
}

/**
 * Makes the queries of one callback of the event loop share a read transaction. Otherwise SQLite locks the file, looks for
 * changes and unlocks the file for each query, which takes a tenth of the time of a list. No request arrives during a callback.
 * Each request therefore reads everything that was committed before it arrived, also by other servers.
 */
function snapshotPerCallback(file: DatabaseSync, onError: OnError): Snapshot {
  // On a damaged file a commit can fail, and the transaction would stay open.
  const [begin, end] = [file.prepare('begin'), file.prepare('rollback')]

  function close() {
    if (!file.isOpen || !file.isTransaction) return
    try {
      end.run()
    } catch (error) {
      onError(error)
    }
  }

  return {
    open() {
      if (file.isTransaction) return
      begin.run()
      atEndOfCallback(close)
    },
    close,
  }
}
