import type { Call } from '#contract/api.ts'
import { keptFor, repeatLimits } from '#contract/limits.ts'
import { parseRule } from '#contract/repeat-rules.ts'
import { laterDays } from '#contract/repeats.ts'
import { isEdit } from '../changes/later-changes.ts'
import { changesOf } from '../changes/stored-items.ts'
import type { Db } from '../database/schema.ts'
import { repeatOf } from './repeated-tasks.ts'

type PassedDays = Call<'GET /tasks/:id/passed'>['response']['days']

const mostEdits = 1000

/** The fields of a skip as the log names them. COUNT, and a deletion that is taken back, change with the day. */
const fieldsOfSkips = ['due_date', ''].flatMap((due) =>
  ['repeat', ''].flatMap((rule) =>
    ['deleted_at', ''].map((deleted) => [due, rule, 'repeat_day', deleted].filter(Boolean).join(' ')),
  ),
)

/**
 * Returns the days of the last 30 on which a task would have been due once more: those that were skipped, and those that had passed
 * before it was completed. Newest first. Undefined if the owner has no task with this id.
 */
export async function findPassedDays(
  db: Db,
  owner: string,
  id: string,
  { today, now }: { today: string; now: number },
): Promise<PassedDays | undefined> {
  const task = await db
    .selectFrom('tasks')
    .select('series')
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!task) return undefined
  if (task.series === null) return []
  const tasks = await findSeries(db, owner, task.series)
  const since = new Date(Date.parse(today) - keptFor).toISOString().slice(0, 10)
  const skipped = await findSkipped(db, owner, tasks, now - keptFor)
  const days = new Set([...skipped].filter((day) => day > since && day < today))
  for (const [index, row] of tasks.entries()) {
    const isOpen = row.done_at === null && row.deleted_at === null
    const next = tasks[index - 1]?.repeat_day ?? (isOpen ? today : undefined)
    if (next !== undefined)
      for (const day of laterDays(repeatOf(row), since, next)) if (day < next && day < today) days.add(day)
  }
  return [...days]
    .toSorted()
    .reverse()
    .slice(0, repeatLimits.passed)
    .map((day) => ({ day, skipped: skipped.has(day) }))
}

/** Returns the newest tasks of a repeat, deleted ones too, newest first. */
const findSeries = (db: Db, owner: string, series: string) =>
  db
    .selectFrom('tasks')
    .select(['id', 'due_date', 'repeat', 'repeat_from', 'repeat_day', 'done_at', 'deleted_at'])
    .where('user_id', '=', owner)
    .where('series', '=', series)
    .where('repeat_day', 'is not', null)
    .orderBy('repeat_day', 'desc')
    .orderBy('id', 'desc')
    .limit(repeatLimits.passed)
    .execute()

type Series = Awaited<ReturnType<typeof findSeries>>

/** Returns the days that were skipped since an instant, without skips that were undone. */
async function findSkipped(db: Db, owner: string, tasks: Series, since: number): Promise<Set<string>> {
  const skipped = new Set<string>()
  if (tasks.length === 0) return skipped
  // In an order that is not the one of the index, SQLite would read all changes of these tasks.
  const edits = changesOf(db, owner)
    .select('seq')
    .where(
      'item',
      'in',
      tasks.map(({ id }) => id),
    )
    .where(isEdit)
    .orderBy('item', 'desc')
    .orderBy('seq', 'desc')
    .limit(mostEdits)
  const changes = await changesOf(db, owner)
    .select(['seq', 'item', 'undoes', 'before'])
    .where('seq', 'in', edits)
    .where('fields', 'in', fieldsOfSkips)
    .where('at', '>=', since)
    .orderBy('seq', 'desc')
    .execute()
  const undone = new Set<number>()
  /** What each task has after the change that is looked at. */
  const after = new Map(tasks.map(({ id, repeat, repeat_day }) => [id, { repeat, repeat_day }]))
  for (const { seq, item, undoes, before: logged } of changes) {
    const { repeat, repeat_day } = after.get(String(item)) ?? {}
    const before = { repeat, repeat_day, ...JSON.parse(logged ?? '{}') }
    after.set(String(item), before)
    if (undone.has(seq)) continue
    if (undoes !== null) undone.add(undoes)
    else if (before.repeat_day < (repeat_day ?? '') && isSameRule(before.repeat, repeat ?? null))
      skipped.add(before.repeat_day)
  }
  return skipped
}

/** Whether two rules differ in nothing but what is left of them. */
function isSameRule(one: string | null, other: string | null): boolean {
  const [first, second] = [one, other].map((text) => {
    const { count: _, ...rule } = (text === null ? undefined : parseRule(text)) ?? {}
    return JSON.stringify(rule)
  })
  return first === second
}
