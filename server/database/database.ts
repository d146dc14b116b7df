import type { HttpError } from '../errors.ts'
import type { Db } from './schema.ts'

/** Why nothing can be stored: what a client is told, and what the operator is told to do. */
export type Fault = { detail: string; report: string }

/** The two doors to the data; which engine stands behind them is nobody else's business. */
export type Database = {
  /** Queries that change nothing. */
  read: Db
  /**
   * Runs `work` in a transaction and resolves once what it wrote is durable; if it throws, nothing of it stays.
   * Work may be run again after a conflict, and shares a transaction with other work, so it only talks to its `db`.
   * Work that changes what one user owns names the owner: one owner's writes wait for each other, not for a connection.
   */
  write<T>(work: (db: Db) => Promise<T>, owner?: string): Promise<T>
  /** What a client is told of an error that came from the engine, or undefined for any other error. */
  explain(error: unknown): HttpError | undefined
  /** Why nothing can be stored until somebody acts, or undefined. Reads may still succeed. */
  fault(): Fault | undefined
  /** Looks for damage that no query has met yet, if there is a reason to; what it finds is a fault from then on. */
  inspect(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
