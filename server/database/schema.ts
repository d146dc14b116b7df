import type { Kysely } from 'kysely'

/**
 * Every table of both engines.
 * An instant is a whole number of milliseconds since 1970; a day is `YYYY-MM-DD`; an id is a UUIDv7.
 */
export type Schema = {
  users: {
    id: string
    name: string
    /** Trimmed and lower-cased. */
    email: string
    password_hash: string
    created_at: number
    /** The number of the user's tasks, updated in the transaction that changes it. */
    task_count: number
    /** The UTF-8 bytes of the titles and bodies of the user's tasks, updated in the same transaction. */
    stored_bytes: number
    /** A new random id with every change of the user's tasks, in the same transaction. Cached responses depend on it. */
    tasks_version: string
    /** When the account was closed, or null. A closed account has no sessions and waits for its deletion. */
    closed_at: number | null
  }
  sessions: {
    /** SHA-256 of the token, in hex; the token itself is never stored. */
    token_hash: string
    user_id: string
    created_at: number
    last_used_at: number
  }
  tasks: {
    user_id: string
    id: string
    title: string
    body: string
    due_date: string
    /** 1 high, 2 medium, 3 low: the order in lists. */
    priority: number
    created_at: number
  }
  /** The counters of throttling, which all servers share. */
  attempts: {
    /** The policy's name and the SHA-256 of the counted subject, in hex. */
    key: string
    count: number
    /** The start of the counting window. */
    since: number
    last_at: number
  }
}

/** Every table and its primary key. A table comes after those that it references. */
export const tables = {
  users: ['id'],
  sessions: ['token_hash'],
  tasks: ['user_id', 'id'],
  attempts: ['key'],
} as const satisfies { [Table in keyof Schema]: readonly (keyof Schema[Table])[] }

/** A connection, or the transaction of a write. */
export type Db = Kysely<Schema>
