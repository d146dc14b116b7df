import { randomUUID } from 'node:crypto'
import type { Db, Schema } from '../database/schema.ts'
import { conflict, notFound } from '../errors.ts'
import type { Author } from './account.ts'
import type { Limits, Result } from './change.ts'
import { openLog } from './change-log.ts'
import { fieldsOf } from './later-changes.ts'
import { bytesPerCall } from './stored-tasks.ts'
import { type TaskRow, toTask, type Values } from './task-row.ts'

/** The maximum number of changes in a group that is undone. */
const largestGroup = 2000

type Change = Pick<Schema['changes'], 'seq' | 'item' | 'group_id' | 'fields' | 'before'>

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
    changes.map(({ item }) => String(item)),
    tooLarge,
  )
  const origin = { group: changes.length > 1 ? randomUUID() : null }
  const undone = new Set<TaskRow>()
  for (const change of changes) {
    const row = log.find(String(change.item))
    const fields = fieldsOf(change.fields)
    const given = row && (await log.valuesAt(row.id, change.seq, fields))
    if (!given || fields.some((field) => row[field] !== given[field])) throw changedSince()
    const values: Values = change.before === null ? { deleted_at: now } : JSON.parse(change.before)
    log.edit(row, values, { ...origin, undoes: change.seq })
    undone.add(row)
  }
  const results = [...undone].map((row): Result => ({ outcome: 'applied', changed: true, task: toTask(row) }))
  return { results, cursor: await log.save(quota) }
}

async function findUndone(db: Db, owner: string, seq: number, group: boolean): Promise<Change[]> {
  const select = () =>
    db
      .selectFrom('changes')
      .select(['seq', 'item', 'group_id', 'fields', 'before'])
      .where('user_id', '=', owner)
      .where('kind', '=', 'task')
  const change = await select().where('seq', '=', seq).executeTakeFirst()
  if (!change) throw notFound('Your log has no change with this number that can be undone.')
  if (!group || change.group_id === null) return [change]
  // A subquery, for the same reason as in `findChanges`.
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
  conflict('The tasks of this group are too large to be undone together. Undo its changes one by one.')

const changedSince = () =>
  conflict(
    'The fields of this change were changed again later. Nothing was undone: undo the later change first.',
  )
