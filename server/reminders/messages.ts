import { hash } from 'node:crypto'
import type { Task } from '#contract/tasks.ts'
import { reminderKey } from './reminder-keys.ts'

/** The most code points of a title, and titles, in one message, which has at most 4,096 bytes when it is encrypted. */
const [longestTitle, mostTitles, mostItems] = [200, 5, 30]

const actions = [
  ['done', 'Done'],
  ['in-an-hour', 'In an hour'],
  ['tomorrow', 'Tomorrow'],
] as const

export type Reminded = Pick<Task, '_id' | 'title' | 'dueDate' | 'dueTime'>

type Recipient = {
  userId: string
  subscription: string
  session: string
  /** A browser shows a message about several tasks in place of an earlier one with the same tag. */
  tag: string
  origin: string
  /** How many tasks it is about. Not all of them are given. */
  count: number
  hasTitles: boolean
  secret: Buffer
  now: number
}

/** The message that reminds of tasks, as Declarative Web Push defines it. One of a single task has actions, with their key. */
export function messageOf(tasks: Reminded[], recipient: Recipient): string {
  const { origin, tag, count, hasTitles, now } = recipient
  const navigate = `${origin}/dashboard`
  const common = { lang: 'en', dir: 'auto', navigate, timestamp: now }
  const [task] = tasks
  const items = tasks.slice(0, mostItems).map(({ _id }) => _id)
  if (!task || tasks.length > 1) {
    const titles = tasks.slice(0, mostTitles).map(({ title }) => `• ${shortened(title, 80)}`)
    const body = hasTitles ? titles.join('\n') : 'Open Daymark to see them.'
    const notification = {
      title: `${count} reminders`,
      body,
      tag,
      ...common,
      data: { items },
    }
    return JSON.stringify({ web_push: 8030, notification })
  }
  const { userId, subscription, session, secret } = recipient
  const { _id: item, dueDate, dueTime } = task
  const occurrence = { userId, subscription, session, item, dueDate, dueTime }
  const notification = {
    title: hasTitles ? shortened(task.title, longestTitle) : 'Reminder',
    body: dueText(task),
    tag: task._id,
    ...common,
    actions: actions.map(([action, title]) => ({ action, title, navigate })),
    data: { key: reminderKey(secret, occurrence, now), items },
  }
  return JSON.stringify({ web_push: 8030, notification })
}

const shortened = (title: string, length: number) => {
  const characters = [...title]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : title
}

const dayFormat = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' })

function dueText({ dueDate, dueTime }: Reminded): string {
  if (dueDate === null) return 'This task has no due date.'
  const day = dayFormat.format(Temporal.PlainDate.from(dueDate))
  return dueTime === null ? `Due on ${day}.` : `Due on ${day} at ${dueTime}.`
}

/** An undelivered message is replaced by a later one with the same topic. */
export const topicOf = (tag: string) => hash('sha256', tag, 'base64url').slice(0, 32)
