import { sql } from 'kysely'
import { feedLimits } from '#contract/limits.ts'
import { noDay } from '#contract/lists.ts'
import { taskFields } from '#contract/task-fields.ts'
import { toJson } from '../changes/field-values.ts'
import type { Db } from '../database/schema.ts'
import type { CalendarTask } from './calendar.ts'

export type FeedTasks = {
  tasks: CalendarTask[]
  isCut: boolean
  newest: string | undefined
}

/**
 * Returns at most `limit` of the owner's dated tasks, in an order that does not depend on the day. First come the open
 * ones from today on, then the earlier ones, then, if `withDone`, those that were completed in the last days. The newest
 * change is read in the same statement: a replica that is behind may answer another one.
 */
export async function findFeedTasks(
  db: Db,
  owner: string,
  { now, limit, withDone }: { now: number; limit: number; withDone: boolean },
): Promise<FeedTasks> {
  const today = new Date(now).toISOString().slice(0, 10)
  const dated = db
    .selectFrom('tasks')
    .select(['id', 'version', 'title', 'due_date', 'due_time', 'priority', 'created_at', 'done_at'])
    .select(['repeat', 'repeat_from', 'repeat_day'])
    .where('user_id', '=', owner)
    .where('deleted_at', 'is', null)
    .limit(limit + 1)
  const open = dated.where('done_at', 'is', null)
  // One bound on each side of the day: of two, SQLite may take the wider one and read all tasks up to the other.
  const coming = open
    .where('due_date', '>=', today)
    .where('due_date', '<', noDay)
    .orderBy('due_date')
    .orderBy('id')
  const earlier = open.where('due_date', '<', today).orderBy('due_date', 'desc').orderBy('id', 'desc')
  const since = withDone
    ? Date.parse(today) - (feedLimits.doneDays - 1) * 86_400_000
    : Number.MAX_SAFE_INTEGER
  const done = dated.where('done_at', '>=', since).orderBy('done_at', 'desc').orderBy('id', 'desc')
  // The engines allow an order and a limit in a subquery, but not in a part of a union.
  const part = (query: typeof dated, place: number) =>
    db
      .selectFrom(query.as('part'))
      .selectAll()
      .select(sql<number>`${sql.lit(place)}`.as('place'))
  const rows = await db
    .selectFrom('users')
    .leftJoin(part(coming, 0).unionAll(part(earlier, 1)).unionAll(part(done, 2)).as('task'), (join) =>
      join.onTrue(),
    )
    .selectAll('task')
    .select(sql<string>`cast(users.seq as text) || '.' || cast(users.head as text)`.as('newest'))
    .where('users.id', '=', owner)
    .execute()
  // The engines may answer the parts in another order. Within a part, the sort keeps the order.
  rows.sort((one, other) => Number(one.place) - Number(other.place))
  const tasks = rows.slice(0, limit).flatMap((row): CalendarTask[] => {
    // Done tasks without a day are left out here: in SQL, any number of them would be read until `limit` others are found.
    if (row.id === null || row.due_date === null || row.due_date === noDay) return []
    return [
      {
        id: row.id,
        version: row.version ?? 0,
        title: row.title ?? '',
        dueDate: row.due_date,
        dueTime: toJson(taskFields.dueTime, row.due_time) as string | null,
        priority: toJson(taskFields.priority, row.priority) as CalendarTask['priority'],
        isDone: row.done_at !== null,
        at: row.done_at ?? row.created_at ?? 0,
        repeat: row.repeat,
        repeatFrom: toJson(taskFields.repeatFrom, row.repeat_from) as CalendarTask['repeatFrom'],
        repeatDay: row.repeat_day,
      },
    ]
  })
  tasks.sort((one, other) => (one.dueDate + one.id < other.dueDate + other.id ? -1 : 1))
  return { tasks, isCut: rows.length > limit, newest: rows[0]?.newest }
}
