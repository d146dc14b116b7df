import { type SqlBool, sql } from 'kysely'
import { noDay, noTime } from '#contract/lists.ts'
import { settingsWith } from '#contract/settings.ts'
import type { Db, Schema } from '../database/schema.ts'
import { inTurns } from '../fairness/turns.ts'
import type { SessionLife } from '../sessions/session-queries.ts'
import { idOf } from '../sessions/token.ts'
import { remindersOf } from '../tasks/task-reminders.ts'
import { jobKey, remindingTasks, severalTasks, stillSent } from './due-reminders.ts'
import { messageOf } from './messages.ts'
import type { PushAnswer } from './push-requests.ts'
import { endSubscription, validSubscriptions } from './subscriptions.ts'

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

/**
 * The messages of claimed jobs as they are sent. One is `obsolete` if there is nothing to say any more, or nobody to tell, and `missed` if
 * it has waited for too long.
 */
export async function outgoing(
  db: Db,
  jobs: Job[],
  { secret, life, notBefore, now }: { secret: Buffer; life: SessionLife; notBefore: number; now: number },
) {
  if (jobs.length === 0) return []
  const userIds = [...new Set(jobs.map(({ user_id }) => user_id))]
  const users = await db.selectFrom('users').select(['id', 'settings']).where('id', 'in', userIds).execute()
  const chosen = new Map(users.map(({ id, settings }) => [id, settingsWith(JSON.parse(settings))]))
  const valid = await validSubscriptions(db, userIds, life, now).execute()
  const devices = new Map(valid.map((device) => [`${device.user_id} ${device.id}`, device]))
  const wanted = jobs.flatMap(({ user_id, item, others }) =>
    (item === severalTasks ? others.split(' ') : [item]).map((id) => ({ user_id, item: id })),
  )
  const tasks = await remindingTasks(db, wanted)
  return await inTurns(jobs, (job) => {
    const { user_id: userId, item, others, reminder, subscription, remind_at: since } = job
    const [device, settings] = [devices.get(`${userId} ${subscription}`), chosen.get(userId)]
    if (!device || !settings || since < notBefore) return 'obsolete'
    const ids = item === severalTasks ? others.split(' ') : [item]
    // A task may have been moved between the two steps.
    const open = ids
      .flatMap((id) => tasks.get(`${userId} ${id}`) ?? [])
      .filter((row) =>
        remindersOf(row, settings).some(
          (each) => each.at <= now && (item === severalTasks || each.reminder === reminder),
        ),
      )
    if (open.length === 0) return 'obsolete'
    if (now - since > stillSent) return 'missed'
    const shown = open.map(({ id, title, due_date, due_time }) => ({
      ...{ _id: id, title },
      dueDate: due_date === noDay ? null : due_date,
      dueTime: due_time === noTime ? null : due_time,
    }))
    const { origin, endpoint, p256dh, auth } = device
    const text = messageOf(shown, {
      ...{ userId, subscription, session: idOf(device.token_hash), origin, secret, now },
      tag: reminder,
      hasTitles: settings.reminderTitles,
    })
    return { text, topic: item === severalTasks ? reminder : item, endpoint, p256dh, auth }
  })
}

/** What became of a message that was claimed at `now`. */
export type Outcome = { job: Job; answer: PushAnswer | 'failed' | 'obsolete' | 'missed'; now: number }

/** Whether a push service refuses a message in a way that another attempt would not change. */
export const isRefused = ({ status }: PushAnswer) =>
  status >= 300 && status < 500 && ![404, 408, 410, 425, 429].includes(status)

/** Marks messages after their attempts. Those that were sent are gone, those that cannot be sent are missed; the others wait for longer each time. */
export async function settleMessages(db: Db, outcomes: Outcome[], life: SessionLife) {
  const [ended, missed]: [Job[], Job[]] = [[], []]
  for (const { job, answer, now } of outcomes) {
    const { status, retryAfter } = typeof answer === 'object' ? answer : { status: 0, retryAfter: 0 }
    if (status === 404 || status === 410) {
      await endMessages(db, job, life, now)
      continue
    }
    const attempts = job.attempts + 1
    if (answer === 'obsolete' || (status >= 200 && status < 300)) ended.push(job)
    else if (
      answer === 'missed' ||
      (typeof answer === 'object' && isRefused(answer)) ||
      attempts >= mostAttempts
    )
      missed.push(job)
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
  if (missed.length > 0)
    await db.updateTable('reminder_jobs').set({ due: null, lease: null }).where(ours(missed)).execute()
}

/** The jobs whose lease has not passed to another server. */
const ours = (jobs: Job[]) => {
  const keys = jobs.map(
    (job) => sql`(${job.user_id}, ${job.item}, ${job.reminder}, ${job.subscription}, ${job.lease})`,
  )
  return sql<SqlBool>`(user_id, item, reminder, subscription, lease) in (${sql.join(keys)})`
}

/** Ends a subscription and its messages. They are missed if no other device of the person gets them. */
async function endMessages(db: Db, { user_id: userId, subscription }: Job, life: SessionLife, now: number) {
  const messages = sql<SqlBool>`user_id = ${userId} and subscription = ${subscription}`
  await endSubscription(db, userId, subscription)
  const others = validSubscriptions(db, [userId], life, now)
  if (await others.limit(1).executeTakeFirst()) await db.deleteFrom('reminder_jobs').where(messages).execute()
  else await db.updateTable('reminder_jobs').set({ due: null, lease: null }).where(messages).execute()
}
