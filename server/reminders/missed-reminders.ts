import type { Db } from '../database/schema.ts'

/** The most reminders of which the page says that they were missed. */
const mostMissed = 100

const missedBy = (db: Db, userId: string) =>
  db.selectFrom('reminder_jobs').where('user_id', '=', userId).where('due', 'is', null)

/** Returns the reminders that were missed while the server was off, the newest first. */
export const findMissed = (db: Db, userId: string) =>
  missedBy(db, userId)
    .select(['item', 'remind_at'])
    .orderBy('remind_at', 'desc')
    .orderBy('item')
    .limit(mostMissed)
    .execute()

export const forgetMissed = (db: Db, userId: string) =>
  db.deleteFrom('reminder_jobs').where('user_id', '=', userId).where('due', 'is', null).execute()
