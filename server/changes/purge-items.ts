import { randomUUID } from 'node:crypto'
import { rowBytes } from '#contract/limits.ts'
import type { Database } from '../database/database.ts'
import { countRemoved, rowsPerRemoval } from '../database/removals.ts'
import type { Db } from '../database/schema.ts'
import { lockUser } from '../sessions/account-state.ts'
import { cursorOf } from './change-log.ts'
import type { Kind, Kinds } from './item-kind.ts'
import { isEdit } from './later-changes.ts'
import { type Author, giveBack, growAccount } from './locked-account.ts'
import { asEvent, bytesOfValues, noContent } from './log-rows.ts'
import { insertChange } from './new-changes.ts'
import { changesOf, itemTables } from './stored-items.ts'

/** An item of one of these kinds, and who removes it. */
type PurgedItem = { author: Author; kinds: Kinds; id: string }

/**
 * Removes an item for good that was deleted until `before`, in parts, so that no transaction is long. Returns the cursor
 * after the removal, or undefined if the owner has no such item or `stop` was aborted.
 */
export async function purge(
  database: Database,
  { author, kinds, id }: PurgedItem,
  before: number,
  now: number,
  stop?: AbortSignal,
): Promise<string | undefined> {
  let behind = -1
  while (!stop?.aborted) {
    const last = behind
    const result = await database.write(async (db) => {
      for (const kind of kinds) {
        const part = await purgePart(db, { author, kind, id, behind: last }, before, now)
        if (part !== undefined) return part
      }
    }, author.userId)
    if (typeof result !== 'number') return result
    behind = result
  }
  return undefined
}

/**
 * Removes a part of a deleted item. It removes the values that are kept elsewhere, then the old values from its changes after
 * number `behind`, so that no secret stays in the log, and finally the item itself. If there is more to remove, returns the
 * number to continue from. Otherwise returns the cursor after the removal. Returns undefined if the owner has no such item that
 * was deleted until `before`. If an item is restored between two parts, it has lost only its older history.
 */
export async function purgePart(
  db: Db,
  { author, kind, id, behind }: { author: Author; kind: Kind; id: string; behind: number },
  before: number,
  now: number,
): Promise<string | number | undefined> {
  const { userId: owner, device, by } = author
  if (!(await lockUser(db, owner))) return
  const [item] = await kind.select(db, owner, [id])
  // The item was restored in the meantime, or purged by another server.
  if (!item || item.deleted_at === null || item.deleted_at > before) return
  if (kind.removeKept) {
    const { bytes, isLast } = await kind.removeKept(db, owner, id)
    await giveBack(db, owner, bytes)
    if (!isLast) return behind
  }
  const numbers = changesOf(db, owner)
    .select('seq')
    .where('item', '=', id)
    .where(isEdit)
    .where('seq', '>', behind)
    .orderBy('seq')
    .limit(rowsPerRemoval)
  const found = await changesOf(db, owner)
    .select(['seq', bytesOfValues])
    .where('seq', 'in', numbers)
    .orderBy('seq')
    .execute()
  const old = found.slice(0, countRemoved(found))
  if (old.length > 0)
    await db
      .updateTable('changes')
      .set({ ...asEvent('blank'), before: null })
      .where('user_id', '=', owner)
      .where('kind', '=', kind.name)
      .where(
        'seq',
        'in',
        old.map(({ seq }) => seq),
      )
      .execute()
  const freed = old.reduce((sum, { bytes }) => sum + bytes, 0)
  if (old.length === rowsPerRemoval || old.length < found.length) {
    await giveBack(db, owner, freed)
    return old.at(-1)?.seq
  }
  const head = randomUUID()
  const bytes = rowBytes - freed - kind.bytesOf(item)
  const growth = { changes: 1, items: new Map(), bytes, grows: false }
  const seq = await growAccount(db, owner, head, growth, Number.MAX_SAFE_INTEGER)
  await itemTables(db).deleteFrom(kind.table).where('user_id', '=', owner).where('id', '=', id).execute()
  await insertChange(db, {
    ...{ user_id: owner, seq, id: head, at: now, device, by, ...asEvent('purge'), ...noContent },
    ...{ item: id, fields: kind.name },
  })
  return cursorOf({ seq, head })
}
