import { createHmac, timingSafeEqual } from 'node:crypto'
import { reminderKeyLife } from '#contract/reminders.ts'

/** What the key in a notification allows: its actions on this occurrence of a task, as long as the subscription lasts. */
export type Occurrence = {
  userId: string
  subscription: string
  /** The id of the session that subscribed: a later one with the same endpoint may not use the key. */
  session: string
  item: string
  dueDate: string | null
  dueTime: string | null
}

const tagOf = (secret: Buffer, text: string) => createHmac('sha256', secret).update(text).digest()

/** Returns the key of an occurrence. Only its holder has it: the database contains the secret of all keys, but no key. */
export function reminderKey(secret: Buffer, occurrence: Occurrence, now: number): string {
  const { userId, subscription, item, dueDate, dueTime, session } = occurrence
  const values = [userId, subscription, item, dueDate, dueTime, now + reminderKeyLife, session]
  const text = Buffer.from(JSON.stringify(values)).toString('base64url')
  return `${text}.${tagOf(secret, text).toString('base64url')}`
}

/** Returns undefined for a text that is not a key, or no longer. */
export function occurrenceOf(secret: Buffer, key: string, now: number): Occurrence | undefined {
  const [text = '', tag = ''] = key.split('.')
  const [given, right] = [Buffer.from(tag, 'base64url'), tagOf(secret, text)]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  const [userId, subscription, item, dueDate, dueTime, until, session] = JSON.parse(
    Buffer.from(text, 'base64url').toString(),
  )
  return now < until ? { userId, subscription, session, item, dueDate, dueTime } : undefined
}
