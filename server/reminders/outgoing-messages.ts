import { noDay, noTime } from '#contract/lists.ts'
import { settingsWith } from '#contract/settings.ts'
import { chunksOf } from '../database/chunks.ts'
import type { Db, Schema } from '../database/schema.ts'
import type { SessionLife } from '../sessions/session-queries.ts'
import { idOf } from '../sessions/token.ts'
import { remindersOf } from '../tasks/task-reminders.ts'
import { inTurns } from '../turns/turns.ts'
import { messageOf } from './messages.ts'
import { type Message, pairsPerQuery, unique, within } from './push-messages.ts'
import { validSubscriptions } from './subscriptions.ts'

const mostTogether = 100

/** The reminders that are sent in some messages, and their tasks that are open. Bodies of tasks are not read. */
async function contentsOf(db: Db, messages: Message[]) {
  const reminders: Pick<Schema['reminder_jobs'], 'user_id' | 'item' | 'reminder' | 'message'>[] = []
  for (const pairs of chunksOf(unique(messages), pairsPerQuery))
    reminders.push(
      ...(await db
        .selectFrom('reminder_jobs')
        .select(['user_id', 'item', 'reminder', 'message'])
        .where('state', '=', 'sending')
        .where(within('(user_id, message)', pairs))
        .orderBy('due')
        .orderBy('item')
        .execute()),
    )
  const byMessage = Map.groupBy(reminders, ({ user_id, message }) => `${user_id} ${message}`)
  const shown = [...byMessage.values()].flatMap((each) => each.slice(0, mostTogether))
  const tasks = []
  for (const some of chunksOf(shown, pairsPerQuery)) {
    const items = some.map(({ user_id, item: id }) => ({ user_id, id }))
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

/** Messages of some people as they are sent. One is `obsolete` if there is nothing to say any more, or nobody to tell. */
export async function outgoing(
  db: Db,
  messages: Message[],
  { secret, life, notBefore, now }: { secret: Buffer; life: SessionLife; notBefore: number; now: number },
): Promise<(Outgoing | 'obsolete')[]> {
  if (messages.length === 0) return []
  const ids = [...new Set(messages.map(({ user_id }) => user_id))]
  const people = await db.selectFrom('users').select(['id', 'settings']).where('id', 'in', ids).execute()
  const chosen = new Map(people.map(({ id, settings }) => [id, settingsWith(JSON.parse(settings))]))
  const valid = await validSubscriptions(db, ids, life, now).execute()
  const devices = new Map(valid.map((device) => [`${device.user_id} ${device.id}`, device]))
  const { byMessage, tasks } = await contentsOf(db, messages)
  const made: (Outgoing | 'obsolete')[] = []
  for await (const { user_id: userId, id, subscription, since } of inTurns(messages)) {
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
