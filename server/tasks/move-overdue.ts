import { randomUUID } from 'node:crypto'
import type { Task } from '#contract/tasks.ts'
import { type Author, lockAccount } from '../changes/account.ts'
import { change } from '../changes/change.ts'
import { fitting } from '../changes/fitting-rows.ts'
import { bytesPerCall } from '../changes/later-changes.ts'
import { largestGroup } from '../changes/undo.ts'
import type { Db } from '../database/schema.ts'
import { taskKind } from './task-kind.ts'
import type { Limits } from './task-writes.ts'

/**
 * Moves the open tasks that are due before `today` to that day, in one group: all of them, or the first ones if they are
 * more than can be undone together. Then there are `more`, which another call moves.
 */
export async function moveOverdue(
  db: Db,
  author: Author,
  today: string,
  limits: Limits,
): Promise<{ tasks: Task[]; more: boolean; cursor: string }> {
  // Before they are looked for, so that none of them is completed in the meantime.
  await lockAccount(db, author.userId)
  const overdue = await db
    .selectFrom('tasks')
    .select(['id', taskKind.storedBytes.as('bytes')])
    .where('user_id', '=', author.userId)
    .where('done_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('due_date', '<', today)
    .orderBy('due_date')
    .orderBy('priority')
    .orderBy('id')
    .limit(largestGroup + 1)
    .execute()
  const group = randomUUID()
  const moves = fitting(overdue.slice(0, largestGroup), bytesPerCall).map(({ id: item }) => ({
    kind: taskKind.name,
    item,
    set: { dueDate: today },
    group,
  }))
  const { items, cursor } = await change(db, author, moves, { ...limits, kinds: [taskKind] })
  const tasks = items.map(({ item }) => item as Task)
  return { tasks, more: tasks.length < overdue.length, cursor }
}
