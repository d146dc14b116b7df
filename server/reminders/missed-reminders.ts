import type { Db } from '../database/schema.ts'
import { severalTasks } from './due-reminders.ts'

/** The most reminders of which the page says that they were missed. */
const mostMissed = 100

const missedBy = (db: Db, userId: string) =>
  db.selectFrom('reminder_jobs').where('user_id', '=', userId).where('due', 'is', null)

/** Returns the reminders that were not sent in time, the newest first. */
export async function findMissed(db: Db, userId: string): Promise<{ item: string; at: number }[]> {
  // A message that each of several devices missed is one reminder.
  const found = await missedBy(db, userId)
    .select(['item', 'others', 'remind_at'])
    .distinct()
    .orderBy('remind_at', 'desc')
    .orderBy('item')
    .limit(mostMissed)
    .execute()
  return found
    .flatMap(({ item, others, remind_at: at }) =>
      (item === severalTasks ? others.split(' ') : [item]).map((each) => ({ item: each, at })),
    )
    .slice(0, mostMissed)
}

export const forgetMissed = (db: Db, userId: string) =>
  db.deleteFrom('reminder_jobs').where('user_id', '=', userId).where('due', 'is', null).execute()
