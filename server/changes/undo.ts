import { randomUUID } from 'node:crypto'
import type { Db, Schema } from '../database/schema.ts'
import { conflict, notFound } from '../errors.ts'
import type { Author } from './account.ts'
import type { Limits, Result } from './change.ts'
import { type Item, openLog } from './change-log.ts'
import type { KindName } from './item-kind.ts'
import { allKinds } from './item-kinds.ts'
import { bytesPerCall, fieldsOf } from './later-changes.ts'

/** The maximum number of changes in a group that is undone. */
export const largestGroup = 2000

type Change = Pick<Schema['changes'], 'seq' | 'group_id' | 'fields' | 'before'> & {
  kind: KindName
  item: string
}

/**
 * Undoes one change, or with `group` all changes of its group, newest first. Throws a 409 and changes nothing if a field
 * no longer has the value that the change set. An undo is itself a change, so undoing an undo is redo.
 */
export async function undo(
  db: Db,
  author: Author,
  { seq, group }: { seq: number; group: boolean },
  { quota, now }: Limits,
): Promise<{ results: Result[]; cursor: string }> {
  const log = await openLog(db, author, now)
  const changes = await findUndone(db, author.userId, seq, group)
  await log.load(
    changes.map(({ item, kind }) => ({ id: item, kind })),
    tooLarge,
  )
  const origin = { group: changes.length > 1 ? randomUUID() : null }
  const undone = new Set<Item>()
  let bytes = 0
  for (const change of changes) {
    const item = log.find(change.item)
    const fields = fieldsOf(change.fields)
    const given = item && (await log.valuesAt(change.item, change.seq, fields))
    if (!given || fields.some((field) => item.row[field] !== given[field])) throw changedSince()
    const values = await valuesBefore(db, author.userId, item, change, now)
    log.edit(item, values, { ...origin, undoes: change.seq })
    bytes += values.text === undefined ? 0 : item.kind.bytesOf(item.row)
    if (bytes > bytesPerCall) throw tooLarge()
    undone.add(item)
  }
  const results = [...undone].map(
    ({ kind, row }): Result => ({ outcome: 'applied', changed: true, ...kind.toResult(row) }),
  )
  return { results, cursor: await log.save(quota) }
}

/** Returns the values to which a change is undone. A creation is undone by deleting. */
async function valuesBefore(db: Db, owner: string, { kind }: Item, change: Change, now: number) {
  if (change.before === null) return { deleted_at: now }
  const values = await kind.valuesBefore(db, owner, JSON.parse(change.before))
  if (!values || fieldsOf(change.fields).some((field) => values[field] === undefined)) throw notKept()
  return values
}

async function findUndone(db: Db, owner: string, seq: number, group: boolean): Promise<Change[]> {
  const select = () =>
    db
      .selectFrom('changes')
      .select(['seq', 'kind', 'item', 'group_id', 'fields', 'before'])
      .where('user_id', '=', owner)
      .where(
        'kind',
        'in',
        allKinds.map(({ name }) => name),
      )
      .$narrowType<Change>()
  const change = await select().where('seq', '=', seq).executeTakeFirst()
  if (!change) throw notFound('Your log has no change with this number that can be undone.')
  if (!group || change.group_id === null) return [change]
  // A subquery, for the same reason as in `purgePart`.
  const numbers = db
    .selectFrom('changes')
    .select('seq')
    .where('user_id', '=', owner)
    .where('group_id', '=', change.group_id)
    .orderBy('seq', 'desc')
    .limit(largestGroup + 1)
  const sizes = await db
    .selectFrom('changes')
    .select(({ fn }) => fn<number | null>('octet_length', ['before']).as('bytes'))
    .where('user_id', '=', owner)
    .where('seq', 'in', numbers)
    .execute()
  if (sizes.length > largestGroup)
    throw conflict(`This group has more than ${largestGroup} changes, too many to be undone together.`)
  if (sizes.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) > bytesPerCall) throw tooLarge()
  return await select().where('seq', 'in', numbers).orderBy('seq', 'desc').execute()
}

const tooLarge = () =>
  conflict('The items of this group are too large to be undone together. Undo its changes one by one.')

const changedSince = () =>
  conflict(
    'The fields of this change were changed again later. Nothing was undone: undo the later change first.',
  )

const notKept = () =>
  conflict(
    'The text before this change was not kept as a version of its own. Restore a version from the history.',
  )
