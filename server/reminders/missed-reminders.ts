import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'

/** The most reminders of which the page says that they were missed. */
const mostMissed = 100

/** Returns the reminders that were not sent in time, the newest first. */
export const findMissed = (db: Db, userId: string): Promise<{ item: string; at: number }[]> =>
  db
    .selectFrom('reminder_jobs')
    .select(['item', 'remind_at as at'])
    .where('user_id', '=', userId)
    .where('state', '=', sql.lit('missed'))
    .orderBy('remind_at', 'desc')
    .orderBy('item', 'desc')
    .limit(mostMissed)
    .execute()

export const forgetMissed = (db: Db, userId: string) =>
  db.deleteFrom('reminder_jobs').where('user_id', '=', userId).where('state', '=', 'missed').execute()
