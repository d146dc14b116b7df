import { noTime } from '#contract/lists.ts'
import { reminderTimes } from '#contract/reminder-times.ts'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { taskFields } from '#contract/task-fields.ts'
import { type ItemRow, toJson, type Values } from '../changes/field-values.ts'
import type { Db, Schema } from '../database/schema.ts'

type Choices = Pick<Settings, 'zone' | 'defaultReminder' | 'quietFrom' | 'quietUntil' | 'reminderTitles'>

export const parseSettings = (text: string): Settings => ({ ...defaultSettings, ...JSON.parse(text) })

/** Returns the settings of a user's reminders. */
export async function reminderSettings(db: Db, owner: string): Promise<Choices> {
  const users = db.selectFrom('users').select('settings').where('id', '=', owner)
  return parseSettings((await users.executeTakeFirst())?.settings ?? '{}')
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

/** The columns on which reminders depend. */
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

const rowsPerInsert = 200

/** Replaces the jobs of some tasks, and adds those of others, which have none. */
export async function replaceJobs(
  db: Db,
  owner: string,
  replaced: Values[],
  made: Values[],
  settings: Choices,
  now: number,
) {
  const ids = replaced.map(({ id }) => String(id))
  if (ids.length > 0)
    await db.deleteFrom('reminder_jobs').where('user_id', '=', owner).where('item', 'in', ids).execute()
  const jobs = [...replaced, ...made].flatMap((row) =>
    remindersOf(row, settings)
      .filter(({ at }) => at > now)
      .map(({ reminder, at }) => jobOf(owner, String(row.id), reminder, at)),
  )
  for (let from = 0; from < jobs.length; from += rowsPerInsert)
    await db
      .insertInto('reminder_jobs')
      .values(jobs.slice(from, from + rowsPerInsert))
      .execute()
}

const jobOf = (owner: string, item: string, reminder: string, at: number): Schema['reminder_jobs'] => ({
  ...{ user_id: owner, item, reminder, subscription: '', service: '', remind_at: at, due: at },
  ...{ lease: null, attempts: 0, held: 0, others: '' },
})
