import type { Kysely } from 'kysely'

/**
 * Every table, as both engines hold it.
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
    /** How many tasks the user owns, kept in the transaction that changes it: counting them would cost more with each. */
    task_count: number
    /** Bytes of UTF-8 in the titles and bodies of the user's tasks, kept in the same transaction. */
    stored_bytes: number
    /** Another one after every change to the user's tasks, in the same transaction: an answer made at one version holds until the next. */
    tasks_version: string
    /** When the account was closed; null while it is open. A closed one has no sessions and waits for its deletion. */
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
    /** 1 high, 2 medium, 3 low: the order they are listed in. */
    priority: number
    created_at: number
  }
  /** What has been tried how often, so that guessing is slow whichever server it goes through. */
  attempts: {
    /** The policy's name and the SHA-256 of who or what is tried, in hex. */
    key: string
    count: number
    /** When counting began. */
    since: number
    last_at: number
  }
}

/** Every table and its primary key, in an order in which none comes before one it refers to. */
export const tables = {
  users: ['id'],
  sessions: ['token_hash'],
  tasks: ['user_id', 'id'],
  attempts: ['key'],
} as const satisfies { [Table in keyof Schema]: readonly (keyof Schema[Table])[] }

/** A connection, or the transaction a write runs in. */
export type Db = Kysely<Schema>
