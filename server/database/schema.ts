import type { Generated, Kysely } from 'kysely'
import type { Field, Fields } from '#contract/fields.ts'
import type { noteFields } from '#contract/note-fields.ts'
import type { taskFields } from '#contract/task-fields.ts'

/** What a row of the log can be besides the creation or an edit of an item. */
export type ChangeEvent = 'same' | 'blank' | 'purge' | 'start'

/** The stored value of a field. */
type Stored<Of extends Field> =
  | (Of['type'] extends 'text' | 'day' | 'time' | 'plain' ? string : number)
  | (Of extends { default: null } ? null : never)
type Columns<Of extends Fields> = {
  [Name in keyof Of as Of[Name]['column']]: Of[Name] extends { storedNull: string }
    ? Of[Name] extends { default: null }
      ? Generated<string>
      : string
    : Of[Name] extends { type: 'rank'; default: string } | { type: 'number'; default: number }
      ? Generated<number>
      : Stored<Of[Name]>
}

/**
 * Every table of both engines. The rows that a user owns have keys that begin with the user's id, so that a distributed
 * engine stores them on one node.
 * An instant is a whole number of milliseconds since 1970; a day is `YYYY-MM-DD`; an id is a UUID.
 */
export type Schema = {
  users: {
    id: string
    name: string
    /** As in `accounts`; empty once the account is closed. */
    email: string
    password_hash: string
    created_at: number
    /** The number of the user's newest change. The row is locked while a change is made, so numbers have no gaps. */
    seq: number
    /** The random id of that change: a number that was lost in a disk failure is assigned again, its id is not. */
    head: string
    /** The number of the user's tasks that are not deleted, updated in the transaction that changes it. */
    task_count: number
    /**
     * The UTF-8 bytes of the user's tasks and notes, deleted ones included, of versions and of the log, updated in the transaction that
     * changes them. A change in the log counts 256 bytes besides its old values.
     */
    stored_bytes: number
    /** When the sweep next looks for changes of the user to trim. */
    trim_at: number
    /** When the account was closed, or null. A closed account has no sessions and waits for its deletion. */
    closed_at: number | null
    /** When the operator disabled the account, or null. A disabled account has no credentials and gets none, except sessions on a server of 0.1.0. */
    disabled_at: number | null
    /** JSON of the settings that the user has chosen, by the names of the contract. */
    settings: string
    /** While the jobs of the user's reminders are computed anew, the id of the last task that is done. Otherwise null. */
    remind_from: string | null
  }
  /** Which user an email belongs to. Nothing else is found by an email. */
  accounts: {
    /** Trimmed, lower-cased and in the form NFC. If two accounts of 0.1.0 have one NFC form, the second keeps what was typed. */
    email: string
    user_id: string
  }
  /** Logins. A server of 0.1.0 takes each row for one, so other credentials are in a table of their own. */
  sessions: {
    user_id: string
    /** SHA-256 of the token, in hex; the token itself is never stored. Its first 32 digits are the session's id. */
    token_hash: string
    created_at: number
    last_used_at: number
    /** The browser and system in words. Empty if it is not known. */
    name: Generated<string>
  }
  /** Credentials that are no sessions: tokens for other programs, links to choose a password, and addresses of exports. */
  credentials: {
    user_id: string
    /** As in `sessions`. */
    token_hash: string
    /** As in `sessions/scopes.ts`. */
    scope: string
    /** The name of a token. Empty for others. */
    name: string
    created_at: number
    /** Null until the first use. */
    last_used_at: number | null
    /** Null for a token without an expiry. */
    expires_at: number | null
    /** For an export: the hash of the token that began it. The export ends with that token. */
    begun_by: string | null
    /** For an export: how much of it was sent. Null until its address is used. */
    percent: number | null
  }
  /** Where browsers get reminders. A subscription ends with its session. */
  subscriptions: {
    user_id: string
    /** The first 32 hex digits of the SHA-256 of the endpoint, as a UUID. */
    id: string
    token_hash: string
    created_at: number
    endpoint: string
    /** The keys of the browser, in base64url. */
    p256dh: string
    auth: string
    /** The origin at which the browser opens the page. */
    origin: string
  }
  /** The reminders of tasks. One that was sent has no row. */
  reminder_jobs: {
    user_id: string
    item: string
    /** As the task has it, or as the settings have it by default. */
    reminder: string
    /** `to come`; `held` until the end of quiet hours; `sending`, with its message; or `missed`, which the page shows. */
    state: 'to come' | 'held' | 'sending' | 'missed'
    /** When it is to remind. */
    remind_at: number
    /** When a server takes it up. For `sending` and `missed`, when a server took it up. */
    due: number
    message: string | null
  }
  /** The messages that are being sent, one for each subscription. One that is done or missed has no row. */
  push_messages: {
    user_id: string
    id: string
    subscription: string
    /** The host and port of the subscription's endpoint. */
    service: string
    /** When its first reminder was due. */
    since: number
    /** `to come`, or `sending` while a server has it in hand. */
    state: 'to come' | 'sending'
    /** When a server next takes it up. While it is being sent, the end of the lease, which also identifies the sending server. */
    due: number
    attempts: number
  }
  /** The keys of the messages, in one row that all servers read. */
  push: {
    id: number
    /** JWK of the key pair of VAPID (P-256). */
    vapid: string
    /** The key of the credentials in messages, in base64url. */
    secret: string
    /** 0 in a copy of a database until its operator lets it send. */
    is_on: number
    /** Reminders before this time are not sent. */
    not_before: number
  }
  tasks: {
    user_id: string
    id: string
    /** The number of the newest change of this task. 0 if that change is older than the log. */
    version: number
    created_at: number
    /** The text that searches look in, by `foldedTexts` in `contract/search-rules.ts`. It does not count towards `stored_bytes`. */
    folded: Generated<string>
  } & Columns<typeof taskFields>
  notes: {
    user_id: string
    id: string
    /** The number of the newest change of this note. */
    version: number
    created_at: number
    /** When the text was saved. */
    changed_at: number
    /** The number of the change that saved the text, the session that made it, and when the version of the text began. */
    saved_seq: number
    saved_by: string
    /** The name of that session. */
    saved_by_name: string
    version_since: number
    /** The excerpt of the text for lists, which do not read the text. */
    title: string
    snippet: string
    /** The text that searches look in: the title, then the text. It does not count towards `stored_bytes`. */
    folded: string
  } & Columns<typeof noteFields>
  /** Earlier texts of notes. */
  versions: {
    user_id: string
    /** The number of the change that saved this text. */
    seq: number
    note_id: string
    at: number
    device: string
    by: string
    /** How far the sweep has thinned out the versions around this one: 0 not yet, 1 to one an hour, 2 to one a day. */
    thinned: number
    text: string
  }
  /** The log: the changed fields, in the order of `seq`, with their values before. */
  changes: {
    user_id: string
    seq: number
    id: string
    at: number
    /** The session that made the change: the first 32 hex digits of its token's hash; empty for the server. */
    device: string
    /** The name that this session had. */
    by: string
    /** The kind of the created or edited item, such as `task`. Otherwise the same as `event`. */
    kind: string
    /**
     * Null for a creation or an edit. Also null in rows of 0.1.0, which have the event in `kind` alone.
     * `same`: a mutation that changed nothing, or the number of a version that an import has added.
     * `blank`: an edit whose old values were removed.
     * `purge`: a removal for good.
     * `start`: the beginning of the log.
     */
    event: ChangeEvent | null
    item: string | null
    /** The client's id of the mutation. It identifies a repeated request. */
    mutation: string | null
    group_id: string | null
    /** The number of the change that this one undoes. */
    undoes: number | null
    /** The columns that were changed, separated by spaces. For `purge`, the kind of the item. */
    fields: string
    /**
     * JSON of their old values, empty for `same`; null for a creation and for other kinds. A note’s has no text, but the
     * number of its version.
     */
    before: string | null
    /**
     * The number of the item's change before this one; 0 for a creation and for `same`, which are not in the index of edits.
     * Null if that change is older than the log, for a change made by an earlier version, and for other kinds.
     */
    previous: number | null
    /**
     * The number of the rules for what depends on the item: its search text, its reminders and the email of the account.
     * 0 for a change of an earlier version, until a server of this version has applied its rules.
     */
    rules: Generated<number>
  }
  /** The counts of all servers that are not of one account, such as failed logins of a network. */
  attempts: {
    /** The policy's name and the SHA-256 of the counted subject, in hex; `readiness` for the row that a readiness probe writes. */
    key: string
    count: number
    /** The start of the counting window. */
    since: number
    last_at: number
  }
  /** The counts of guesses at the password of an account, and the sites that it knows. */
  guesses: {
    /** For an email without an account an id that is derived from it, so that it is counted in the same way. */
    user_id: string
    /** As in `attempts`. */
    key: string
    count: number
    since: number
    last_at: number
  }
}

/** The number of the rules of this version, see `changes.rules`. */
export const rules = 1

/** Every table and its primary key. A table comes after those that it references. */
export const tables = {
  users: ['id'],
  accounts: ['email'],
  sessions: ['user_id', 'token_hash'],
  credentials: ['user_id', 'token_hash'],
  subscriptions: ['user_id', 'id'],
  reminder_jobs: ['user_id', 'item', 'reminder'],
  push_messages: ['user_id', 'id', 'subscription'],
  push: ['id'],
  tasks: ['user_id', 'id'],
  notes: ['user_id', 'id'],
  versions: ['user_id', 'seq'],
  changes: ['user_id', 'seq'],
  attempts: ['key'],
  guesses: ['user_id', 'key'],
} as const satisfies { [Table in keyof Schema]: readonly (keyof Schema[Table])[] }

/** The tables whose rows are long, and the column of the long text. Only other long texts and `changes.previous` are behind it. */
export const longTexts = {
  tasks: 'body',
  notes: 'text',
  versions: 'text',
  changes: 'before',
} as const satisfies { [Table in keyof Schema]?: keyof Schema[Table] }

/** A connection, or the transaction of a write. */
export type Db = Kysely<Schema>
