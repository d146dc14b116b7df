import { sql } from 'kysely'
import type { ChangeEvent } from '../database/schema.ts'

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
