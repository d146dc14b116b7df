import { sql } from 'kysely'
import { changeBytes } from './item-kind.ts'

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

export const bytesOfValues = sql<number | null>`octet_length("before")`.as('bytes')

/** The bytes of removed changes that counted towards their owner's `stored_bytes`. */
export const bytesFreed = (removed: { bytes: number | null }[]) =>
  removed.reduce((sum, { bytes }) => sum + (bytes === null ? 0 : bytes + changeBytes), 0)
