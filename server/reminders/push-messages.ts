import { type SqlBool, sql } from 'kysely'
import { chunksOf } from '../database/chunks.ts'
import type { Db, Schema } from '../database/schema.ts'
import type { SessionLife } from '../sessions/session-queries.ts'
import { stillSent } from './due-reminders.ts'
import type { PushAnswer } from './push-requests.ts'
import { endSubscription, validSubscriptions } from './subscriptions.ts'

export type Message = Schema['push_messages']

/** In milliseconds. While a server has a message in hand and renews its lease, no other server takes the message up. */
export const lease = 15_000
const mostAttempts = 6
const [firstPause, longestPause] = [5000, 3_600_000]

const mostClaimed = 1000
export const pairsPerQuery = 500

/**
 * Takes due messages of some people in hand, of each service at most as many as `roomOf` returns. Those of their reminders that have waited
 * for too long are missed.
 */
export async function claimMessages(
  db: Db,
  ids: string[],
  roomOf: (service: string) => number,
  now: number,
): Promise<Message[]> {
  const found = await db
    .selectFrom('push_messages')
    .selectAll()
    .where('user_id', 'in', ids)
    .where('due', '<=', now)
    .orderBy('due')
    .limit(mostClaimed)
    .execute()
  const wanted = [...Map.groupBy(found, ({ service }) => service)].flatMap(([service, messages]) =>
    messages.slice(0, Math.max(0, roomOf(service))),
  )
  const lent = await lendMessages(db, wanted, now)
  const waiting = unique(lent.filter(({ since }) => now - since > stillSent))
  for (const some of chunksOf(waiting, pairsPerQuery))
    await db
      .updateTable('reminder_jobs')
      .set({ state: 'missed', message: null })
      .where('state', '=', 'sending')
      .where('due', '<', now - stillSent)
      .where(within('(user_id, message)', some))
      .execute()
  return lent
}

/** Extends or begins the leases of messages. Returns the messages that no other server has taken up meanwhile. */
export async function lendMessages(db: Db, messages: Message[], now: number): Promise<Message[]> {
  const lent: Message[] = []
  for (const some of chunksOf(messages, pairsPerQuery))
    lent.push(
      ...(await db
        .updateTable('push_messages')
        .set({ state: 'sending', due: now + lease })
        .where(ours(some))
        .returningAll()
        .execute()),
    )
  return lent
}

/** The messages that are as they were read. `due` is the end of the lease of the server that has one in hand. */
const ours = (messages: Message[]) => {
  const keys = messages.map(
    ({ user_id, id, subscription, due }) => sql`(${user_id}, ${id}, ${subscription}, ${due})`,
  )
  return sql<SqlBool>`(user_id, id, subscription, due) in (${sql.join(keys)})`
}

export const within = (columns: string, pairs: { user_id: string; id: string | null }[]) =>
  sql<SqlBool>`${sql.raw(columns)} in (${sql.join(pairs.map(({ user_id, id }) => sql`(${user_id}, ${id})`))})`

export const unique = (pairs: { user_id: string; id: string }[]) => [
  ...new Map(pairs.map((pair) => [`${pair.user_id} ${pair.id}`, pair])).values(),
]

/** What became of a message that was taken in hand at `now`. */
export type Outcome = { message: Message; answer: PushAnswer | 'failed' | 'obsolete'; now: number }

const isTaken = ({ status }: PushAnswer) => status >= 200 && status < 300
const isGone = ({ status }: PushAnswer) => status === 404 || status === 410

/** Whether a push service does not take a message, although it may know the subscription. */
export const isFailure = (answer: PushAnswer) => !isTaken(answer) && !isGone(answer)

/** Whether another attempt would not change the answer. */
const isRefused = ({ status }: PushAnswer) =>
  status >= 300 && status < 500 && ![404, 408, 410, 425, 429].includes(status)

/**
 * Marks messages after their attempts. The reminders of those that were sent are done, of those that cannot be sent they are missed; the
 * others wait for longer each time.
 */
export async function settleMessages(db: Db, outcomes: Outcome[], life: SessionLife) {
  const [ended, missed]: [Message[], Message[]] = [[], []]
  for (const { message, answer, now } of outcomes) {
    const { status, retryAfter } = typeof answer === 'object' ? answer : { status: 0, retryAfter: 0 }
    const attempts = message.attempts + 1
    if (isGone({ status, retryAfter })) await endMessages(db, message, life, now)
    else if (answer === 'obsolete' || isTaken({ status, retryAfter })) ended.push(message)
    else if (isRefused({ status, retryAfter }) || attempts >= mostAttempts) missed.push(message)
    else {
      const pause = Math.min(Math.max(retryAfter * 1000, firstPause * 4 ** message.attempts), longestPause)
      await db
        .updateTable('push_messages')
        .set({ state: 'to come', attempts, due: now + pause })
        .where(ours([message]))
        .execute()
    }
  }
  for (const [messages, isMissed] of [
    [ended, false],
    [missed, true],
  ] as const)
    if (messages.length > 0) await removeMessages(db, ours(messages), isMissed)
}

/** Removes messages. Their reminders are missed, or done if no other device is to get them. */
async function removeMessages(db: Db, which: ReturnType<typeof ours>, isMissed: boolean) {
  const removed = await db.deleteFrom('push_messages').where(which).returning(['user_id', 'id']).execute()
  const pairs = unique(removed)
  if (pairs.length === 0) return
  const reminders = sql<SqlBool>`state = 'sending' and ${within('(user_id, message)', pairs)}`
  if (isMissed)
    await db.updateTable('reminder_jobs').set({ state: 'missed', message: null }).where(reminders).execute()
  else
    await db
      .deleteFrom('reminder_jobs')
      .where(reminders)
      .where(
        sql<SqlBool>`(user_id, message) not in (
          select user_id, id from push_messages where ${within('(user_id, id)', pairs)})`,
      )
      .execute()
}

/** Ends a subscription and its messages. Their reminders are missed if no other device of the person gets them. */
async function endMessages(
  db: Db,
  { user_id: userId, subscription }: Message,
  life: SessionLife,
  now: number,
) {
  await endSubscription(db, userId, subscription)
  const other = await validSubscriptions(db, [userId], life, now).limit(1).executeTakeFirst()
  const messages = sql<SqlBool>`user_id = ${userId} and subscription = ${subscription}`
  await removeMessages(db, messages, other === undefined)
}
