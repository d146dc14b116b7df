import { type SqlBool, sql } from 'kysely'
import { noTime } from '#contract/lists.ts'
import { reminderTimes } from '#contract/reminder-times.ts'
import { type Settings, settingsWith } from '#contract/settings.ts'
import { taskFields } from '#contract/task-fields.ts'
import { type ItemRow, toJson, type Values } from '../changes/field-values.ts'
import { chunksOf } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import { databaseNow } from '../database/database-clock.ts'
import { ofAllUsers } from '../database/of-all-users.ts'
import { type RemindersDue, remindersDue } from '../database/reminders-due.ts'
import { dueAtOnce, rowsPerRemoval } from '../database/removals.ts'
import type { Db, Schema } from '../database/schema.ts'

type Job = Schema['reminder_jobs']

/** The SQL condition of a reminder that no server has taken up, as in the index: a value that is a parameter keeps SQLite from using it. */
export const toCome = "state in ('to come', 'held')"

type Choices = Pick<Settings, 'zone' | 'defaultReminder' | 'quietFrom' | 'quietUntil' | 'reminderTitles'>

export async function reminderSettings(db: Db, owner: string): Promise<Choices> {
  const users = db.selectFrom('users').select('settings').where('id', '=', owner)
  return settingsWith(JSON.parse((await users.executeTakeFirst())?.settings ?? '{}'))
}

/** When a stored task reminds, in milliseconds; never without a zone, and never if it is done or deleted. */
export function remindersOf(
  row: Values,
  { zone, defaultReminder }: Choices,
): { reminder: string; at: number }[] {
  if (zone === null || row.done_at !== null || row.deleted_at !== null) return []
  const times = reminderTimes(
    {
      dueDate: toJson(taskFields.dueDate, row.due_date) as string | null,
      dueTime: toJson(taskFields.dueTime, row.due_time) as string | null,
      reminders: toJson(taskFields.reminders, row.reminders) as string | null,
    },
    defaultReminder,
  )
  return times.map(({ reminder, wall, minutes }) => {
    // A time in a gap is as much later, and one that occurs twice is the first one: `compatible`.
    const instant = Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds
    return { reminder, at: instant - minutes * 60_000 }
  })
}

const columns = ['due_date', 'due_time', 'reminders', 'done_at', 'deleted_at']

const mayRemind = ({ due_time, reminders }: Values) => due_time !== noTime || reminders !== null

/** A stored row, and those of its columns that were edited. A new row has none. */
export type StoredRow = { row: ItemRow; edited?: ReadonlySet<string> }

/** Stores the jobs of changed tasks, in the transaction of the change. Reminders before `now` are over. */
export async function storeReminders(db: Db, owner: string, stored: StoredRow[], now: number) {
  const [made, replaced]: [ItemRow[], ItemRow[]] = [[], []]
  for (const { row, edited } of stored) {
    if (!edited) made.push(...(mayRemind(row) ? [row] : []))
    else if (
      columns.some((column) => edited.has(column)) &&
      (mayRemind(row) || edited.has('due_time') || edited.has('reminders'))
    )
      replaced.push(row)
  }
  if (made.length + replaced.length === 0) return
  await replaceJobs(db, owner, replaced, made, await reminderSettings(db, owner), now)
}

/** Replaces the jobs of some tasks, and adds those of others, which have none. */
async function replaceJobs(
  db: Db,
  owner: string,
  replaced: ItemRow[],
  made: ItemRow[],
  settings: Choices,
  now: number,
) {
  const ids = replaced.map(({ id }) => id)
  if (ids.length > 0)
    await db.deleteFrom('reminder_jobs').where('user_id', '=', owner).where('item', 'in', ids).execute()
  const jobs = [...replaced, ...made].flatMap((row) => jobsOf(owner, row, settings))
  // The clocks of servers differ.
  const isNear = jobs.some(({ remind_at }) => Math.abs(remind_at - now) < nearTime)
  const instant = isNear ? await databaseNow(db) : now
  await insertJobs(
    db,
    jobs.filter(({ remind_at }) => remind_at > instant),
  )
}

/** Milliseconds. Up to this difference of clocks, a reminder of now is neither lost nor sent although it is over. */
const nearTime = 3_600_000

const jobsOf = (owner: string, row: Values, settings: Choices): Job[] =>
  remindersOf(row, settings).map(({ reminder, at }) => ({
    ...{ user_id: owner, item: String(row.id), reminder },
    ...{ state: 'to come', remind_at: at, due: at, message: null },
  }))

const rowsPerInsert = 200

async function insertJobs(db: Db, jobs: Job[]) {
  for (const some of chunksOf(jobs, rowsPerInsert))
    await db
      .insertInto('reminder_jobs')
      .values(some)
      // The same reminder may be on its way, or a server that takes up the job of before at this moment may put it back.
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'item', 'reminder']).doUpdateSet(({ ref }) => ({
          ...{ state: ref('excluded.state'), remind_at: ref('excluded.remind_at') },
          ...{ due: ref('excluded.due'), message: ref('excluded.message') },
        })),
      )
      .execute()
  const [first] = jobs
  if (first) {
    const due = jobs.reduce((least, job) => Math.min(least, job.due), first.due)
    remindersDue.publish({ userId: first.user_id, due } satisfies RemindersDue)
  }
}

/**
 * Computes the jobs of some tasks of a user anew, because the zone, the default or quiet hours have changed. A reminder
 * that was to come reminds at once if its new time is over. Returns whether all are computed.
 */
export async function renewSomeJobs(db: Db, owner: string, now: number): Promise<boolean> {
  // Locks the row: a change of a task waits.
  const user = await db
    .updateTable('users')
    .set(({ ref }) => ({ remind_from: ref('remind_from') }))
    .where('id', '=', owner)
    .returning(['remind_from', 'settings'])
    .executeTakeFirst()
  if (!user || user.remind_from === null) return true
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'due_date', 'due_time', 'reminders', 'done_at', 'deleted_at'])
    .where('user_id', '=', owner)
    .where('id', '>', user.remind_from)
    .orderBy('id')
    .limit(rowsPerRemoval)
    .execute()
  const ids = rows.filter(mayRemind).map(({ id }) => id)
  if (ids.length > 0) {
    const before = await db
      .deleteFrom('reminder_jobs')
      .where('user_id', '=', owner)
      .where('item', 'in', ids)
      .where(sql<SqlBool>`${sql.raw(toCome)}`)
      .returningAll()
      .execute()
    const pending = new Map(before.map((job) => [keyOf(job), job]))
    const missed = db.selectFrom('reminder_jobs').select(['item', 'reminder']).where('user_id', '=', owner)
    const kept = await missed.where('item', 'in', ids).where('state', '=', 'missed').execute()
    const known = new Set(kept.map(keyOf))
    const settings = settingsWith(JSON.parse(user.settings))
    const byFormerDefault = ({ item, reminder }: Job) =>
      reminder === settings.defaultReminder
        ? // It has no relative reminder of its own: those at a time of a day are not the default's.
          before.find((job) => job.item === item && !job.reminder.includes('T'))
        : undefined
    await insertJobs(
      db,
      rows
        .flatMap((row) => jobsOf(owner, row, settings))
        .flatMap((job) => {
          const old = pending.get(keyOf(job)) ?? byFormerDefault(job)
          if (known.has(keyOf(job)) || (job.remind_at <= now && !old)) return []
          return old?.remind_at === job.remind_at
            ? // Quiet hours may have changed: what waits for their end is looked at again.
              { ...old, reminder: job.reminder, due: old.state === 'held' ? now : old.due }
            : { ...job, due: Math.max(job.remind_at, now) }
        }),
    )
  }
  const isLast = rows.length < rowsPerRemoval
  await db
    .updateTable('users')
    .set({ remind_from: isLast ? null : (rows.at(-1)?.id ?? null) })
    .where('id', '=', owner)
    .execute()
  return isLast
}

const keyOf = ({ item, reminder }: { item: string; reminder: string }) => `${item} ${reminder}`

export const findUsersToRenew = (database: Database) =>
  ofAllUsers<{ id: string }>(
    database,
    'users',
    (table) => `select id from ${table} where remind_from is not null limit ${dueAtOnce}`,
  )
