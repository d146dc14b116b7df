import type { Db } from '../database/schema.ts'
import { severalTasks } from './due-reminders.ts'

/** The most reminders of which the page says that they were missed. */
const mostMissed = 100

const missedBy = (db: Db, userId: string) =>
  db.selectFrom('reminder_jobs').where('user_id', '=', userId).where('due', 'is', null)

/** The most devices that missed the same reminders, of which each has a row. */
const mostDevices = 20

/** Returns the reminders that were not sent in time, the newest first. */
export async function findMissed(db: Db, userId: string): Promise<{ item: string; at: number }[]> {
  // In the order of an index: with `distinct`, SQLite would read all reminders to come.
  const rows = await missedBy(db, userId)
    .select(['item', 'others', 'remind_at'])
    .orderBy('remind_at', 'desc')
    .orderBy('item', 'desc')
    .limit(mostMissed * mostDevices)
    .execute()
  const found = rows.flatMap(({ item, others, remind_at: at }) =>
    (item === severalTasks ? others.split(' ') : [item]).map((each) => ({ item: each, at })),
  )
  // A message that each of several devices missed is one reminder.
  return [...new Map(found.map((each) => [`${each.item} ${each.at}`, each])).values()].slice(0, mostMissed)
}

export const forgetMissed = (db: Db, userId: string) =>
  db.deleteFrom('reminder_jobs').where('user_id', '=', userId).where('due', 'is', null).execute()
