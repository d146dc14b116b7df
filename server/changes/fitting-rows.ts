import { pageBytes } from '#contract/limits.ts'
import type { Db } from '../database/schema.ts'
import type { Kind } from './item-kind.ts'

/** Texts of an item are read with their page if they have at most this many bytes. 200 such texts are about one page. */
export const shortTexts = 4096

/** An upper bound in bytes for an item as JSON without its texts. */
const frame = 256

/** The most bytes of a UTF-16 unit in JSON: a control character has six (`\u0001`). */
const longestUnit = 6

const longestInUtf8 = 3

/**
 * Returns the leading rows that fit into a page, or into `maxBytes`. If there is a row, it returns at least one, so that paging
 * always ends.
 */
export function fitting<Row extends { bytes: number }>(rows: Row[], maxBytes = pageBytes): Row[] {
  let total = 0
  for (const [index, { bytes }] of rows.entries()) {
    total += bytes
    if (total > maxBytes) return rows.slice(0, Math.max(1, index))
  }
  return rows
}

/** The leading JSON texts that fit into a page, at least one. */
export function fittingTexts(texts: string[]): string[] {
  const units = texts.reduce((sum, text) => sum + text.length + 1, 0)
  if (units * longestInUtf8 <= pageBytes) return texts
  return fitting(texts.map((text) => ({ text, bytes: Buffer.byteLength(text) + 1 }))).map(({ text }) => text)
}

/** The leading items that fit into a page as JSON, at least one. */
export function fittingItems<Item extends object>(items: Item[]): Item[] {
  let longest = items.length * frame
  for (const item of items)
    for (const value of Object.values(item))
      if (typeof value === 'string') longest += longestUnit * value.length
  // True for nearly every page, which is then not serialized only to be measured.
  if (longest <= pageBytes) return items
  return items.slice(0, fittingTexts(items.map((item) => JSON.stringify(item))).length)
}

/** Reads those of the owner's items with these ids, of known sizes, that fit into a page, in their order. */
export async function readFitting(db: Db, kind: Kind, owner: string, sizes: { id: string; bytes: number }[]) {
  const ids = fitting(sizes).map(({ id }) => id)
  return await readInOrder(db, kind, owner, ids)
}

export async function readInOrder(db: Db, kind: Kind, owner: string, ids: string[]) {
  const rows = new Map((await kind.select(db, owner, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}
