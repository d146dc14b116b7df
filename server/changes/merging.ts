import { differing, type Item, type Log } from './change-log.ts'
import type { LoggedColumn, Values } from './item-kind.ts'

/**
 * Merges an edit of version `base` into the stored item: returns those of `values` that the client changed in that
 * version. Returns undefined if others have changed one of them differently since, or if the log does not tell. Without
 * `base`, all values are returned.
 */
export async function merge(
  log: Log,
  item: Item,
  values: Values,
  base: number | undefined,
): Promise<Values | undefined> {
  const { row } = item
  const fields = differing(item, values)
  if (base === undefined || base === row.version || fields.length === 0) return values
  const original = await log.valuesAt(row.id, base, fields)
  if (!original) return undefined
  const changed = fields.filter((field) => !isSame(field, values[field], original[field]))
  if (changed.some((field) => !isSame(field, row[field], original[field]))) return undefined
  return Object.fromEntries(changed.map((field) => [field, values[field]]))
}

/** The instants of `done` and `deleted` are not part of an edit: only whether there is one. */
const isSame = <Field extends LoggedColumn>(field: Field, one: Values[Field], other: Values[Field]) =>
  one === other ||
  ((field === 'done_at' || field === 'deleted_at') && typeof one === 'number' && typeof other === 'number')
