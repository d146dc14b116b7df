import { daysAfter } from '#contract/days.ts'
import { reminderTimes } from '#contract/reminder-times.ts'
import type { Settings } from '#contract/settings.ts'
import type { Task } from '#contract/tasks.ts'
import { isSessionOver } from '../api/session.ts'
import { storedValue } from '../api/stored-value.ts'
import { zoneOfReminders } from '../settings/settings-store.ts'
import { instantOf, wallClock } from '../tasks/reminders/reminder-text.ts'

/** A reminder of a task at an instant, in milliseconds. */
export type DueReminder = { item: string; at: number }

/** How far back a new page looks, in milliseconds: as long as the server sends a reminder. */
const sentFor = 2 * 3_600_000

/** How far back a page looks that was hidden, or had no connection, in milliseconds. */
const keptFor = 7 * 24 * 3_600_000

/** The settings on which reminders depend. */
export type ReminderSettings = Pick<
  Settings,
  'defaultReminder' | 'quietFrom' | 'quietUntil' | 'zone' | 'zonePinned'
>

type Period = { since: number; now: number }

/** The instants at which an open task reminds. */
function instantsOf(task: Task, byDefault: string, zone: string | null): number[] {
  if (task.doneAt !== null || task.deletedAt !== null) return []
  return reminderTimes(task, byDefault).map((each) => instantOf(each, zone))
}

/** Whether a task still reminds at this instant: it is open, and neither moved nor without this reminder. */
export const stillReminds = (task: Task | undefined, at: number, settings: ReminderSettings): boolean =>
  task !== undefined && instantsOf(task, settings.defaultReminder, zoneOfReminders(settings)).includes(at)

/** The end of the quiet hours that contain an instant, on the clock of reminders; outside of them, the instant. */
function afterQuiet(at: number, { quietFrom, quietUntil }: ReminderSettings, zone: string | null): number {
  if (quietFrom === null || quietUntil === null || quietFrom === quietUntil) return at
  const [today = '', time = ''] = wallClock(new Date(at), zone).split('T')
  const isOverMidnight = quietFrom > quietUntil
  const isQuiet = isOverMidnight
    ? time >= quietFrom || time < quietUntil
    : time >= quietFrom && time < quietUntil
  if (!isQuiet) return at
  const day = daysAfter(today, isOverMidnight && time >= quietFrom ? 1 : 0)
  // In the hour that a clock change repeats, the end may be over already.
  return Math.max(at, instantOf({ wall: `${day}T${quietUntil}`, minutes: 0 }, zone))
}

/**
 * The reminders that come after `since` and until `now`, in their order: those of quiet hours at the end of these. A task has none from
 * before it was created. In quiet hours nothing is looked for, and the result is undefined.
 */
export function remindersBetween(
  tasks: Iterable<Task>,
  settings: ReminderSettings,
  { since, now }: Period,
): DueReminder[] | undefined {
  const zone = zoneOfReminders(settings)
  if (afterQuiet(now, settings, zone) > now) return
  const found: DueReminder[] = []
  for (const task of tasks) {
    if (task.dueTime === null && task.reminders === null) continue
    const created = Date.parse(task.createdAt)
    for (const at of instantsOf(task, settings.defaultReminder, zone)) {
      if (at > now || at <= created) continue
      const comes = afterQuiet(at, settings, zone)
      if (comes > since && comes <= now) found.push({ item: task._id, at })
    }
  }
  return found.sort((one, other) => one.at - other.at)
}

/**
 * Looks for the reminders that have come, so that one tab of this browser shows each. `since`: until when this tab has looked, unless it
 * is new. `find` is called again for the time since the page had all changes: a reminder may be known only after its instant.
 */
export function createLooks(account: string, since: number | undefined) {
  const [untilKey, claimedKey] = [`reminders ${account} until`, `reminders ${account} claimed`]
  /** A full local storage keeps none. Then each tab shows a reminder, and none is lost. */
  const claimed = new Set<string>()

  function look(find: (period: Period) => DueReminder[] | undefined, caughtUpAt: number): DueReminder[] {
    // The session may have ended while this tab waited for the others.
    if (account === '' || isSessionOver()) return []
    const now = Date.now()
    // The first page of a browser looks for none.
    const until = Number(localStorage.getItem(untilKey) ?? now)
    const start = Math.max(since ?? Math.max(until, now - sentFor), now - keptFor)
    // The clock may have been set back.
    const period = { since: Math.min(start, now), now }
    for (const each of storedValue<string[]>(localStorage, claimedKey) ?? []) claimed.add(each)
    const found = find(period)
    since = found ? Math.max(period.since, Math.min(now, caughtUpAt)) : period.since
    if (!found) return []
    const news = found.filter((each) => !claimed.has(nameOf(each)))
    for (const each of news) claimed.add(nameOf(each))
    for (const each of claimed) if (instantIn(each) < now - keptFor) claimed.delete(each)
    try {
      localStorage.setItem(untilKey, `${now}`)
      if (news.length > 0) localStorage.setItem(claimedKey, JSON.stringify([...claimed]))
    } catch (error) {
      console.warn('The reminders that were shown could not be kept in this browser.', error)
    }
    // Of one task, the last.
    return [...new Map(news.map((each) => [each.item, each])).values()]
  }

  return {
    since: () => since,
    /** Returns the reminders that no tab has shown, of each task one. `caughtUpAt`: when this page last had all changes. */
    look: async (...given: Parameters<typeof look>): Promise<DueReminder[]> =>
      // A page that is not secure has no locks. Between two lines of this function, no other tab is shown.
      navigator.locks ? await navigator.locks.request(untilKey, () => look(...given)) : look(...given),
  }
}

const nameOf = ({ item, at }: DueReminder) => `${item} ${at}`
const instantIn = (name: string) => Number(name.split(' ')[1])
