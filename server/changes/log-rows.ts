import { sql } from 'kysely'
import type { ChangeEvent, Db } from '../database/schema.ts'

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

/** The bytes of the old values of a change. */
export const bytesOfValues = sql<number>`coalesce(octet_length("before"), 0)`.as('bytes')
