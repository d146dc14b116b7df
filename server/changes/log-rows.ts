import { sql } from 'kysely'
import type { ChangeEvent, Db } from '../database/schema.ts'

/**
 * The log of a user. A query that looks for changes by another column than their number has a subquery, which finds the numbers by an
 * index alone: otherwise SQLite prefers the primary key and reads the whole log. The same is true of versions.
 */
export const changesOf = (db: Db, owner: string) => db.selectFrom('changes').where('user_id', '=', owner)

/** The values of a row of the log that says nothing of an item. */
export const noContent = {
  item: null,
  mutation: null,
  group_id: null,
  undoes: null,
  fields: '',
  before: null,
  previous: null,
}

/** The kind of a row of the log that is an event. The previous version reads it from `kind`. */
export const asEvent = (event: ChangeEvent) => ({ kind: event, event })

export const bytesOfValues = sql<number>`coalesce(octet_length("before"), 0)`.as('bytes')
