import { randomUUID } from 'node:crypto'
import type { Task } from '#contract/tasks.ts'
import { type Author, lockAccount } from '../changes/account.ts'
import { change, type Limits } from '../changes/change.ts'
import { bytesPerCall } from '../changes/later-changes.ts'
import { countFitting } from '../changes/task-page.ts'
import { storedBytes } from '../changes/task-row.ts'
import { largestGroup } from '../changes/undo.ts'
import type { Db } from '../database/schema.ts'

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
    .select(['id', storedBytes.as('bytes')])
    .where('user_id', '=', author.userId)
    .where('done_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('due_date', '<', today)
    .orderBy('due_date')
    .orderBy('priority')
    .orderBy('id')
    .limit(largestGroup + 1)
    .execute()
  const sizes = overdue.slice(0, largestGroup).map(({ bytes }) => bytes)
  const fitting = overdue.slice(0, sizes.length && countFitting(sizes, bytesPerCall))
  const group = randomUUID()
  const moves = fitting.map(({ id: item }) => ({ item, set: { dueDate: today }, group }))
  const { results, cursor } = await change(db, author, moves, limits)
  const tasks = results.flatMap(({ task }) => task ?? [])
  return { tasks, more: tasks.length < overdue.length, cursor }
}
