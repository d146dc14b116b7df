import { type SqlBool, sql } from 'kysely'
import { noDay, noTime } from '#contract/lists.ts'
import type { Db, Schema } from '../database/schema.ts'
import type { SessionLife } from '../sessions/session-queries.ts'
import { reminderSettings } from '../tasks/task-reminders.ts'
import { jobKey, severalTasks } from './due-reminders.ts'
import { messageOf } from './messages.ts'
import type { PushAnswer } from './push-requests.ts'
import { validSubscriptions } from './subscriptions.ts'

type Job = Schema['reminder_jobs']

/** Until the end of its lease, no other server takes up a message: longer than it waits and is sent. */
const lease = 60_000
const mostAttempts = 6
const [firstPause, longestPause] = [5000, 3_600_000]

/** Takes up to `limit` messages in hand, of services that are not busy. */
export async function claimMessages(db: Db, busy: string[], limit: number, now: number): Promise<Job[]> {
  const table = sql.table('reminder_jobs')
  const others = busy.length > 0 ? sql`and service not in (${sql.join(busy)})` : sql``
  const free = sql<SqlBool>`subscription <> '' and due <= ${now} and (lease is null or lease <= ${now}) ${others}`
  const keys = sql`select user_id, item, reminder, subscription from ${table} where ${free} order by due limit ${limit}`
  // The condition is repeated: of two servers, the second one waits for the rows of the first, and must not take them too.
  const claim = sql<Job>`update ${table} set lease = ${now + lease} where ${free} and ${jobKey} in (${keys}) returning *`
  return (await claim.execute(db)).rows
}

/** A message as it is sent: its text, and where to. Undefined if there is nothing to say any more, or nobody to tell. */
export async function outgoing(
  db: Db,
  job: Job,
  { secret, life, now }: { secret: Buffer; life: SessionLife; now: number },
) {
  const { user_id: userId } = job
  const [device] = await validSubscriptions(db, [userId], life, now)
    .where('subscriptions.id', '=', job.subscription)
    .execute()
  if (!device) return undefined
  const ids = job.item === severalTasks ? job.others.split(' ') : [job.item]
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'title', 'due_date', 'due_time'])
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .where('done_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
  if (rows.length === 0) return undefined
  const { reminderTitles } = await reminderSettings(db, userId)
  const { id: subscription, origin, endpoint, p256dh, auth } = device
  const tasks = rows.map(({ id, title, due_date, due_time }) => ({
    ...{ _id: id, title },
    dueDate: due_date === noDay ? null : due_date,
    dueTime: due_time === noTime ? null : due_time,
  }))
  const text = messageOf(tasks, {
    ...{ userId, subscription, origin, secret, now },
    hasTitles: reminderTitles,
  })
  return { text, endpoint, p256dh, auth }
}

/** What became of a message that was claimed at `now`. It is `obsolete` if there was nothing to send any more. */
export type Outcome = { job: Job; answer: PushAnswer | 'failed' | 'obsolete'; now: number }

/** Marks messages after their attempts. Those that were sent are gone; the others wait for longer each time. */
export async function settleMessages(db: Db, outcomes: Outcome[]) {
  const ended: Job[] = []
  for (const { job, answer, now } of outcomes) {
    const { status, retryAfter } = typeof answer === 'object' ? answer : { status: 0, retryAfter: 0 }
    if (status === 404 || status === 410) await endSubscription(db, job)
    const attempts = job.attempts + 1
    if (answer === 'obsolete' || (status >= 200 && status < 300) || attempts >= mostAttempts) ended.push(job)
    else {
      const pause = Math.min(Math.max(retryAfter * 1000, firstPause * 4 ** job.attempts), longestPause)
      await db
        .updateTable('reminder_jobs')
        .set({ attempts, lease: null, due: now + pause })
        .where(ours([job]))
        .execute()
    }
  }
  if (ended.length > 0) await db.deleteFrom('reminder_jobs').where(ours(ended)).execute()
}

/** The jobs whose lease has not passed to another server. */
const ours = (jobs: Job[]) => {
  const keys = jobs.map(
    (job) => sql`(${job.user_id}, ${job.item}, ${job.reminder}, ${job.subscription}, ${job.lease})`,
  )
  return sql<SqlBool>`(user_id, item, reminder, subscription, lease) in (${sql.join(keys)})`
}

/** The browser has ended its subscription. */
async function endSubscription(db: Db, { user_id, subscription }: Job) {
  await db.deleteFrom('subscriptions').where('user_id', '=', user_id).where('id', '=', subscription).execute()
  await db
    .deleteFrom('reminder_jobs')
    .where('user_id', '=', user_id)
    .where('subscription', '=', subscription)
    .execute()
}
