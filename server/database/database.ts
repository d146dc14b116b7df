import type { HttpError } from '../errors.ts'
import type { Db } from './schema.ts'

/** Why changes cannot be stored: `detail` is for clients, `report` tells the operator what to do. */
export type Fault = { detail: string; report: string }

/** The interface of both engines. No other code depends on which engine is used. */
export type Database = {
  /** For queries without changes. */
  read: Db
  /**
   * Runs `work` in a transaction and resolves when its changes are durable. If it throws, its changes are rolled back.
   * `work` may be retried after a conflict, and shares its transaction with other work, so its only effects are on `db`.
   * Work on the data of one user passes the owner: the writes of one owner wait for each other and use one connection.
   */
  write<T>(work: (db: Db) => Promise<T>, owner?: string): Promise<T>
  /** Converts an error of the engine to a response. Returns undefined for other errors. */
  explain(error: unknown): HttpError | undefined
  /** Runs a query that fails if the database is not reachable or accepts no changes. */
  probe(): Promise<unknown>
  /** Returns why changes cannot be stored until the operator acts, or undefined. Reads may still succeed. */
  fault(): Fault | undefined
  /** Checks for damage if there is a reason to. Any damage is a fault from then on. */
  inspect(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
