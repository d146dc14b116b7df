import type { RawBuilder } from 'kysely'
import { pageBytes } from '#contract/limits.ts'
import type { Db } from '../database/schema.ts'
import { firstId } from '../new-id.ts'
import type { Read } from './delta-cursor.ts'
import type { ItemRow } from './field-values.ts'
import { fittingItems, readFitting } from './fitting-rows.ts'
import type { Kind, Kinds } from './item-kind.ts'
import { itemTables } from './stored-items.ts'

/** The number of items that are read at a time, so that other requests get their turns in between. */
const itemsPerRead = 500

type ItemOfKind = { kind: string; item: object }

type Part = { items: ItemOfKind[]; last: Read | undefined }

/**
 * Returns the next items of a first read, including deleted items. There are at most `limit`, or, without `limit`, as many as fit
 * into a response. `last` is the last of these items if more items follow.
 */
export async function findItems(
  db: Db,
  kinds: Kinds,
  owner: string,
  after: Read | undefined,
  limit: number | undefined,
): Promise<Part> {
  if (limit !== undefined) return await findSome(db, kinds, owner, after, limit)
  const items: ItemOfKind[] = []
  let last = after
  for (let bytes = 0; ; ) {
    const part = await findSome(db, kinds, owner, last, itemsPerRead)
    bytes += Buffer.byteLength(JSON.stringify(part.items))
    if (bytes > pageBytes && items.length > 0) return { items, last }
    items.push(...part.items)
    last = part.last
    if (last === undefined) return { items, last }
  }
}

async function findSome(
  db: Db,
  kinds: Kinds,
  owner: string,
  after: Read | undefined,
  limit: number,
): Promise<Part> {
  const items: ItemOfKind[] = []
  const begun = Math.max(
    0,
    kinds.findIndex(({ name }) => name === after?.kind),
  )
  for (const kind of kinds.slice(begun)) {
    const from = kind.name === after?.kind ? after.id : firstId
    // With a limit of 0, the query finds out whether there are any items.
    const found = await (kind.summary ? findSummaries : findWhole)(
      db,
      kind,
      owner,
      from,
      limit - items.length,
    )
    items.push(...found.items.map((item) => ({ kind: kind.name, item })))
    if (found.last !== undefined) return { items, last: { kind: kind.name, id: found.last } }
  }
  return { items, last: undefined }
}

async function scan(
  db: Db,
  { table }: Kind,
  owner: string,
  { after, limit }: { after: string; limit: number },
  columns: readonly string[],
  bytes?: RawBuilder<number>,
) {
  return (await itemTables(db)
    .selectFrom(table)
    .select(columns)
    .$if(bytes !== undefined, (query) => query.select((bytes as RawBuilder<number>).as('bytes')))
    .where('user_id', '=', owner)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .execute()) as ItemRow[]
}

async function findWhole(db: Db, kind: Kind, owner: string, after: string, limit: number) {
  const sizes = await scan(db, kind, owner, { after, limit }, ['id'], kind.storedBytes)
  const rows = await readFitting(db, kind, owner, sizes.slice(0, limit) as (ItemRow & { bytes: number })[])
  const items = fittingItems(rows.map(kind.toItem))
  // The only item that fits may have been removed since, by another server.
  const reached = rows[items.length - 1]?.id ?? (limit > 0 ? sizes[0]?.id : after)
  return { items, last: items.length === sizes.length ? undefined : reached }
}

async function findSummaries(db: Db, kind: Kind, owner: string, after: string, limit: number) {
  const { columns = [], toItem = kind.toItem } = kind.summary ?? {}
  const found = await scan(db, kind, owner, { after, limit }, columns)
  const rows = found.slice(0, limit)
  return { items: rows.map(toItem), last: found.length > limit ? (rows.at(-1)?.id ?? after) : undefined }
}
