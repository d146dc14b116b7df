import { differing, type Log } from './change-log.ts'
import { isSame, type Stored, type Values } from './field-values.ts'
import type { StoredItem } from './new-changes.ts'

/**
 * Merges an edit of version `base` into the stored item. Returns the entries of `values` that the client has changed in that
 * version. Returns undefined if others have since changed one of these fields differently, or if the log no longer has the
 * values of that version. Without `base`, returns all values. An item that the server has made may be edited by a client that does not
 * know its version yet: with 0, it is edited as it was made.
 */
export async function merge(
  log: Log,
  item: StoredItem,
  values: Values,
  base: number | undefined,
): Promise<Values | undefined> {
  const { row, kind } = item
  const fields = differing(item, values)
  if (base === undefined || base === row.version || fields.length === 0) return values
  const edited = base === 0 && kind.successor?.isMade(row) ? await log.creationOf(row.id) : base
  const original = edited === undefined ? undefined : await log.valuesAt(row.id, edited, fields)
  if (!original) return undefined
  const changed = fields.filter((field) => !isSame(kind.fields, field, values[field], original[field]))
  if (changed.some((field) => !isSame(kind.fields, field, row[field], original[field]))) return undefined
  return Object.fromEntries(changed.map((field) => [field, values[field] as Stored]))
}
