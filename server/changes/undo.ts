import { randomUUID } from 'node:crypto'
import type { Db, Schema } from '../database/schema.ts'
import { conflict, notFound } from '../errors.ts'
import type { Author } from './account.ts'
import type { Limits, Result } from './change.ts'
import { openLog } from './change-log.ts'
import { fieldsOf, findChanges, longestHistory, valuesBefore } from './later-changes.ts'
import { type TaskRow, toTask, type Values } from './task-row.ts'

/** The maximum number of changes in a group that is undone, and of later changes compared for it. */
const largestGroup = 2000
const longestSearch = 20_000

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
  const stored = new Map(
    (await log.load(changes.map(({ item }) => String(item)))).map((row) => [row.id, { ...row }]),
  )
  const origin = { group: changes.length > 1 ? randomUUID() : null }
  const undone = new Set<TaskRow>()
  let searched = 0
  for (const change of changes) {
    const row = log.find(String(change.item))
    const original = stored.get(String(change.item))
    if (!row || !original) throw changedSince()
    const later =
      original.version === change.seq ? [] : await findChanges(db, author.userId, row.id, change.seq)
    searched += later.length
    if (later.length === longestHistory || searched > longestSearch) throw changedSince()
    const given = await valuesBefore(db, author.userId, original, later)
    if (fieldsOf(change.fields).some((field) => row[field] !== given[field])) throw changedSince()
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
  const changes = await select()
    .where('group_id', '=', change.group_id)
    .orderBy('seq', 'desc')
    .limit(largestGroup + 1)
    .execute()
  if (changes.length > largestGroup)
    throw conflict(`This group has more than ${largestGroup} changes, too many to be undone together.`)
  return changes
}

const changedSince = () =>
  conflict(
    'The fields of this change were changed again later. Nothing was undone: undo the later change first.',
  )
