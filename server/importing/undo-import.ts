import { openLog } from '../changes/change-log.ts'
import type { Kinds } from '../changes/item-kind.ts'
import { bytesPerCall } from '../changes/later-changes.ts'
import type { Author } from '../changes/locked-account.ts'
import { changesOf, itemsOf } from '../changes/stored-items.ts'
import { rowsPerRemoval } from '../database/removals.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { inTurns } from '../turns/turns.ts'
import { findOwnChanges } from './imported-items.ts'

/**
 * Deletes what an import has added or restored and nobody has changed since. It begins after the change `after`, so that
 * each call has a bounded size. A repeated call deletes nothing more and returns the same.
 */
export async function undoImport(
  db: Db,
  author: Author,
  { import: group, after = 0 }: { import: string; after?: number | undefined },
  { kinds, quota, now }: { kinds: Kinds; quota: number; now: number },
) {
  const { userId: owner } = author
  const log = await openLog(db, kinds, author, now)
  const changes = await findChanges(db, owner, group, after)
  const ids = new Set(changes.flatMap(({ item }) => item ?? []))
  const live = (await findItems(db, owner, kinds, [...ids])).filter(({ isDeleted }) => !isDeleted)
  const versions = live.map(({ version }) => version)
  const own = await findOwnChanges(db, owner, group, versions)
  const removable = new Map(live.filter(({ version }) => own.has(version)).map((item) => [item.id, item]))

  const passed = new Set<string>()
  let [bytes, end] = [0, 0]
  for (const { item, device } of changes) {
    // A client may have grouped changes of its own under this id.
    if (item !== null && device === '' && !passed.has(item)) {
      bytes += removable.get(item)?.bytes ?? 0
      if (bytes > bytesPerCall && passed.size > 0) break
      passed.add(item)
    }
    end++
  }
  const removed = [...passed].flatMap((id) => removable.get(id) ?? [])
  await log.load(removed, () => new HttpError('group-too-large'))
  for await (const { id } of inTurns(removed)) {
    const item = log.find(id)
    if (item) log.edit(item, { deleted_at: now }, {})
  }
  const kept = live.filter(({ id }) => passed.has(id) && !removable.has(id)).length
  const isLast = end === changes.length && changes.length < rowsPerRemoval
  const { cursor } = await log.save(quota, true)
  return { removed: passed.size - kept, kept, next: isLast ? null : (changes[end - 1]?.seq ?? null), cursor }
}

async function findChanges(db: Db, owner: string, group: string, after: number) {
  const numbers = changesOf(db, owner)
    .select('seq')
    .where('group_id', '=', group)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(rowsPerRemoval)
  return await changesOf(db, owner)
    .select(['seq', 'item', 'device'])
    .where('seq', 'in', numbers)
    .orderBy('seq')
    .execute()
}

/** Returns those of the items that were not removed for good, without their texts. */
async function findItems(db: Db, owner: string, kinds: Kinds, ids: string[]) {
  const found = []
  for (const { name, table, storedBytes } of ids.length === 0 ? [] : kinds) {
    const rows = await itemsOf(db, table, owner)
      .select(['id', 'version', 'deleted_at'])
      .select(storedBytes.as('bytes'))
      .where('id', 'in', ids)
      .execute()
    found.push(
      ...rows.map(({ id, version, deleted_at, bytes }) => ({
        ...{ id: id as string, kind: name, version: version as number },
        ...{ isDeleted: deleted_at !== null, bytes: Number(bytes) },
      })),
    )
  }
  return found
}
