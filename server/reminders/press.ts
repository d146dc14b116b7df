import { remindedAgain } from '#contract/reminder-times.ts'
import { type ReminderAction, reminderKeyLife } from '#contract/reminders.ts'
import { change } from '../changes/change.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { findSettings, lockUser } from '../sessions/account-state.ts'
import type { SessionLife } from '../sessions/session-queries.ts'
import { idOf } from '../sessions/token.ts'
import { taskKind } from '../tasks/task-kind.ts'
import { findTask } from '../tasks/task-writes.ts'
import type { Occurrence } from './reminder-keys.ts'
import { knownSubscriptions } from './subscriptions.ts'

const [minute, hour] = [60_000, 3_600_000]

/**
 * Does what a button of a notification says, as the session of its subscription. Returns false if the task is not the occurrence that
 * the notification was about, or no longer.
 */
export async function press(
  db: Db,
  { userId, subscription, session, item, dueDate, dueTime }: Occurrence,
  { action, mutation, at }: { action: ReminderAction; mutation: string; at?: string | undefined },
  { quota, now, life }: { quota: number; now: number; life: SessionLife },
): Promise<boolean> {
  // Two presses at once, or a press and a logout, follow each other.
  await lockUser(db, userId)
  const [device] = await knownSubscriptions(db, [userId], life, now)
    .where('subscriptions.id', '=', subscription)
    .execute()
  if (!device || idOf(device.token_hash) !== session) throw new HttpError('reminder-over')
  const task = await findTask(db, userId, item)
  const isSame = task?.dueDate === dueDate && task.dueTime === dueTime
  if (!task || !isSame || task.doneAt !== null || task.deletedAt !== null) return false
  const { zone } = await findSettings(db, userId)
  // The clock of a device may be wrong: a press is not later than now, and not before its key.
  const pressed = at === undefined ? now : Math.max(now - reminderKeyLife, Math.min(now, Date.parse(at)))
  const wallClock = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant)
      .toZonedDateTimeISO(zone ?? 'UTC')
      .toPlainDateTime()
  const day = wallClock(pressed).toPlainDate()
  const set = { done: { done: true }, tomorrow: { dueDate: day.add({ days: 1 }).toString() } }
  const again = () => ({
    // A press that arrives later than in an hour reminds at once.
    reminders: remindedAgain(
      task.reminders,
      minuteOf(wallClock(unambiguous(Math.max(pressed + hour, now + minute), zone ?? 'UTC'))),
      minuteOf(wallClock(now)),
    ),
  })
  const mutated = {
    ...{ mutation, item, kind: taskKind.name, day: day.toString() },
    set: action === 'in-an-hour' ? again() : set[action],
    ...(at !== undefined && { at: new Date(pressed).toISOString() }),
  }
  const author = { userId, device: idOf(device.token_hash), by: device.name }
  const { items } = await change(db, author, [mutated], {
    ...{ kinds: [taskKind], quota, now, today: day.toString() },
    items: 'existing',
    setFields: '',
  })
  return items[0]?.outcome === 'applied'
}

/**
 * Returns an instant whose wall clock means no earlier instant: `at`, or the end of the hour that a change of the clock repeats if `at` is
 * in its second half.
 */
function unambiguous(at: number, zone: string): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  const first = zoned.toPlainDateTime().toZonedDateTime(zone).epochMilliseconds
  const change = zoned.getTimeZoneTransition('previous')
  return first === at || !change ? at : change.epochMilliseconds + (at - first)
}

const minuteOf = (wallClock: Temporal.PlainDateTime) => wallClock.toString({ smallestUnit: 'minute' })
