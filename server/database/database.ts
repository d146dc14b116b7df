import type { HttpError } from '../errors.ts'
import { openPostgres } from './postgres.ts'
import type { Db } from './schema.ts'
import { openSqlite } from './sqlite.ts'

/** The two doors to the data; which engine stands behind them is nobody else's business. */
export type Database = {
  /** Queries that change nothing. */
  read: Db
  /**
   * Runs `work` in a transaction and resolves once what it wrote is durable; if it throws, nothing of it stays.
   * Work may be run again after a conflict, and shares a transaction with other work, so it only talks to its `db`.
   */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** What a client is told of an error that came from the engine, or undefined for any other error. */
  explain(error: unknown): HttpError | undefined
  close(): Promise<void>
}

/** Opens the engine that the URL names, with its schema brought up to date. */
export async function openDatabase(url: URL): Promise<Database> {
  return url.protocol === 'file:' ? openSqlite(url) : openPostgres(url)
}
