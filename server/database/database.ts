import type { HttpError } from '../errors.ts'
import type { Db, Schema } from './schema.ts'

/** Why changes cannot be stored. `report` tells the operator what to do. */
export type Fault = { code: 'database-damaged' | 'database-lost'; report: string }

/** The connections to a database server, and the number of queries that wait for one. */
export type Connections = { open: number; idle: number; max: number; waiting: number }

/** The interface of both engines. No other code depends on which engine is used. */
export type Database = {
  read: Db
  /**
   * Runs `work` in a transaction and resolves when its changes are durable. If it throws, its changes are rolled back. `work`
   * may be retried after a conflict, and shares its transaction with other work, so its only effects are on `db`. The writes of
   * one `owner` wait for each other and use one connection. For work on the data of a user, `owner` is the user's id. For work
   * of a client without an account, it is the client's network. `changes`: how many changes the work makes, 1 by default. The
   * number of changes in one transaction is limited.
   */
  write<T>(work: (db: Db) => Promise<T>, owner?: string, changes?: number): Promise<T>
  /**
   * Runs queries that all read the state at the first of them, on a connection of their own, so that the work may take as long as
   * a download. While it runs, the engine keeps what others replace: the caller limits how many run, and for how long.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Whether a part of a distributed database failed with this error, so that work with other parts may succeed. Work that threw
   * it changed nothing.
   */
  isOfOnePart(error: unknown): boolean
  /** Converts an error of the engine to a response. Returns undefined for other errors. */
  explain(error: unknown): HttpError | undefined
  /**
   * Runs queries that fail if the database is not reachable or accepts no changes, and throws a ConfigError if another
   * server has migrated it to a schema that this version does not work with.
   */
  probe(): Promise<void>
  /** Returns why changes cannot be stored until the operator acts, or undefined. Reads may still succeed. */
  fault(): Fault | undefined
  /** Checks for damage if there is a reason to. Any damage is a fault from then on. */
  inspect(signal: AbortSignal): Promise<void>
  /** A number that changes with each commit to a file, of any process. A database server has none. */
  revision?(): number | undefined
  /** Undefined for a file. */
  connections?(): Connections
  /** If the engine distributes users, returns the shard of each user. A query for users of one shard costs the least. */
  shardsOf?(userIds: string[]): Promise<Map<string, string>>
  /** If the engine distributes users, asks for rows of all users that can be reached: see of-all-users.ts. */
  ofReachableParts?<Row>(table: keyof Schema, query: (table: string) => string): Promise<Row[]>
  close(): Promise<void>
}
