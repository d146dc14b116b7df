import { type SqlBool, sql } from 'kysely'
import { noDay, noTime } from '#contract/lists.ts'
import { settingsWith } from '#contract/settings.ts'
import type { Db, Schema } from '../database/schema.ts'
import { turn } from '../fairness/turns.ts'
import type { SessionLife } from '../sessions/session-queries.ts'
import { idOf } from '../sessions/token.ts'
import { remindersOf } from '../tasks/task-reminders.ts'
import { stillSent } from './due-reminders.ts'
import { messageOf } from './messages.ts'
import type { PushAnswer } from './push-requests.ts'
import { endSubscription, validSubscriptions } from './subscriptions.ts'

export type Message = Schema['push_messages']

/** Until the end of its lease, no other server takes up a message that one has in hand and renews. */
export const lease = 15_000
const mostAttempts = 6
const [firstPause, longestPause] = [5000, 3_600_000]

/** The most tasks of one message that are read. */
const mostTogether = 100

const [mostClaimed, pairsPerQuery] = [1000, 500]

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
  for (let from = 0; from < waiting.length; from += pairsPerQuery)
    await db
      .updateTable('reminder_jobs')
      .set({ state: 'missed', message: null })
      .where('state', '=', 'sending')
      .where('due', '<', now - stillSent)
      .where(within('(user_id, message)', waiting.slice(from, from + pairsPerQuery)))
      .execute()
  return lent
}

/** Extends the leases of messages in hand, or begins them. Returns those of which no other server has taken one up meanwhile. */
export async function lendMessages(db: Db, messages: Message[], now: number): Promise<Message[]> {
  const lent: Message[] = []
  for (let from = 0; from < messages.length; from += pairsPerQuery)
    lent.push(
      ...(await db
        .updateTable('push_messages')
        .set({ state: 'sending', due: now + lease })
        .where(ours(messages.slice(from, from + pairsPerQuery)))
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

const within = (columns: string, pairs: { user_id: string; id: string | null }[]) =>
  sql<SqlBool>`${sql.raw(columns)} in (${sql.join(pairs.map(({ user_id, id }) => sql`(${user_id}, ${id})`))})`

const unique = (pairs: { user_id: string; id: string }[]) => [
  ...new Map(pairs.map((pair) => [`${pair.user_id} ${pair.id}`, pair])).values(),
]

/** The reminders that are sent in some messages, and their tasks that are open. Bodies of tasks are not read. */
async function contentsOf(db: Db, messages: Message[]) {
  const reminders: Pick<Schema['reminder_jobs'], 'user_id' | 'item' | 'reminder' | 'message'>[] = []
  const pairs = unique(messages)
  for (let from = 0; from < pairs.length; from += pairsPerQuery)
    reminders.push(
      ...(await db
        .selectFrom('reminder_jobs')
        .select(['user_id', 'item', 'reminder', 'message'])
        .where('state', '=', 'sending')
        .where(within('(user_id, message)', pairs.slice(from, from + pairsPerQuery)))
        .orderBy('due')
        .orderBy('item')
        .execute()),
    )
  const byMessage = Map.groupBy(reminders, ({ user_id, message }) => `${user_id} ${message}`)
  const shown = [...byMessage.values()].flatMap((each) => each.slice(0, mostTogether))
  const tasks = []
  for (let from = 0; from < shown.length; from += pairsPerQuery) {
    const items = shown.slice(from, from + pairsPerQuery).map(({ user_id, item: id }) => ({ user_id, id }))
    const open = db
      .selectFrom('tasks')
      .select(['user_id', 'id', 'title', 'due_date', 'due_time', 'reminders', 'done_at', 'deleted_at'])
      .where('done_at', 'is', null)
      .where('deleted_at', 'is', null)
    tasks.push(...(await open.where(within('(user_id, id)', items)).execute()))
  }
  return { byMessage, tasks: new Map(tasks.map((task) => [`${task.user_id} ${task.id}`, task])) }
}

export type Outgoing = { text: string; topic: string; endpoint: string; p256dh: string; auth: string }

type Sending = { secret: Buffer; life: SessionLife; notBefore: number; now: number }

/** Messages of some people as they are sent. One is `obsolete` if there is nothing to say any more, or nobody to tell. */
export async function outgoing(
  db: Db,
  messages: Message[],
  { secret, life, notBefore, now }: Sending,
): Promise<(Outgoing | 'obsolete')[]> {
  if (messages.length === 0) return []
  const ids = [...new Set(messages.map(({ user_id }) => user_id))]
  const people = await db.selectFrom('users').select(['id', 'settings']).where('id', 'in', ids).execute()
  const chosen = new Map(people.map(({ id, settings }) => [id, settingsWith(JSON.parse(settings))]))
  const valid = await validSubscriptions(db, ids, life, now).execute()
  const devices = new Map(valid.map((device) => [`${device.user_id} ${device.id}`, device]))
  const { byMessage, tasks } = await contentsOf(db, messages)
  const made: (Outgoing | 'obsolete')[] = []
  for (const { user_id: userId, id, subscription, since } of messages) {
    const wait = turn()
    if (wait) await wait
    const [device, settings] = [devices.get(`${userId} ${subscription}`), chosen.get(userId)]
    const reminders = byMessage.get(`${userId} ${id}`) ?? []
    const read = reminders.slice(0, mostTogether)
    const open = read.flatMap(({ item, reminder }) => {
      const row = tasks.get(`${userId} ${item}`)
      // A server of an earlier version may have changed the task without its reminders.
      const isRight =
        row &&
        settings &&
        remindersOf(row, settings).some((each) => each.reminder === reminder && each.at <= now)
      return isRight ? [row] : []
    })
    if (!device || !settings || since < notBefore || open.length === 0) {
      made.push('obsolete')
      continue
    }
    const shown = [...new Map(open.map((row) => [row.id, row])).values()].map(
      ({ id, title, due_date, due_time }) => ({
        ...{ _id: id, title },
        dueDate: due_date === noDay ? null : due_date,
        dueTime: due_time === noTime ? null : due_time,
      }),
    )
    const { origin, endpoint, p256dh, auth } = device
    // Each has its own name, so that a second one does not replace the first.
    const tag = `several ${id}`
    const text = messageOf(shown, {
      ...{ userId, subscription, session: idOf(device.token_hash), origin, secret, now, tag },
      count: shown.length + reminders.length - read.length,
      hasTitles: settings.reminderTitles,
    })
    const [only] = reminders
    made.push({ text, topic: only && reminders.length === 1 ? only.item : tag, endpoint, p256dh, auth })
  }
  return made
}

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
