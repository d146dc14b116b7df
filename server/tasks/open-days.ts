import { daysPerCall } from '#contract/limits.ts'
import type { Db } from '../database/schema.ts'
import { badRequest } from '../errors.ts'

/** Returns the days of a range on which the owner's open tasks are due, in order, and how many are due on each. */
export async function findOpenDays(
  db: Db,
  owner: string,
  { from, to }: { from: string; to: string },
): Promise<{ day: string; tasks: number }[]> {
  const { days } = Temporal.PlainDate.from(from).until(to)
  if (days < 0 || days >= daysPerCall)
    throw badRequest(
      'to',
      'not-in-range',
      `must be a day from ${from} on, so that the range has at most ${daysPerCall} days`,
    )
  const rows = await db
    .selectFrom('tasks')
    .select(({ fn }) => ['due_date', fn.countAll<string | number>().as('tasks')])
    .where('user_id', '=', owner)
    .where('done_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('due_date', '>=', from)
    .where('due_date', '<=', to)
    .groupBy('due_date')
    .orderBy('due_date')
    .execute()
  return rows.map(({ due_date: day, tasks }) => ({ day, tasks: Number(tasks) }))
}
