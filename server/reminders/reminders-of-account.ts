import type { Db } from '../database/schema.ts'
import type { SessionLife } from '../sessions/session-queries.ts'
import { validSubscriptions } from './subscriptions.ts'

/** Returns the subscriptions of an account, with the names of their sessions, and how many of its reminders are to come. */
export async function remindersOfAccount(db: Db, userId: string, life: SessionLife, now: number) {
  const subscriptions = await validSubscriptions(db, [userId], life, now)
    .orderBy('subscriptions.created_at')
    .execute()
  const { toCome } = await db
    .selectFrom('reminder_jobs')
    .select(({ fn }) => fn.countAll().as('toCome'))
    .where('user_id', '=', userId)
    .where('state', 'in', ['to come', 'held'])
    .executeTakeFirstOrThrow()
  return { subscriptions, toCome: Number(toCome) }
}
