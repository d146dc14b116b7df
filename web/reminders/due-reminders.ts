import { daysAfter } from '#contract/days.ts'
import { reminderTimes } from '#contract/reminder-times.ts'
import type { Settings } from '#contract/settings.ts'
import type { Task } from '#contract/tasks.ts'
import { keepInBrowser, storedValue } from '../api/session.ts'
import { zoneOfReminders } from '../settings/settings-store.ts'
import { instantOf, wallClock } from '../tasks/reminders/reminder-text.ts'

/** `at`: in milliseconds. */
export type DueReminder = { item: string; at: number }

/** Milliseconds that a new page looks back: as long as the server sends a reminder. */
const sentFor = 2 * 3_600_000

/** Milliseconds that a page looks back after it was hidden or offline. */
const keptFor = 7 * 24 * 3_600_000

/** Milliseconds until what a tab has stored is known to all. */
const storedAfter = 250

export type ReminderSettings = Pick<
  Settings,
  'defaultReminder' | 'quietFrom' | 'quietUntil' | 'zone' | 'zonePinned'
>

type Period = { since: number; now: number }

function instantsOf(task: Task, byDefault: string, zone: string | null): number[] {
  if (task.doneAt !== null || task.deletedAt !== null) return []
  return reminderTimes(task, byDefault).map((each) => instantOf(each, zone))
}

export const stillReminds = (task: Task | undefined, at: number, settings: ReminderSettings): boolean =>
  task !== undefined && instantsOf(task, settings.defaultReminder, zoneOfReminders(settings)).includes(at)

function afterQuiet(at: number, { quietFrom, quietUntil }: ReminderSettings, zone: string | null): number {
  if (quietFrom === null || quietUntil === null || quietFrom === quietUntil) return at
  const [today = '', time = ''] = wallClock(new Date(at), zone).split('T')
  const isOverMidnight = quietFrom > quietUntil
  const isQuiet = isOverMidnight
    ? time >= quietFrom || time < quietUntil
    : time >= quietFrom && time < quietUntil
  if (!isQuiet) return at
  const day = daysAfter(today, isOverMidnight && time >= quietFrom ? 1 : 0)
  // In an hour that a clock change repeats, the end may already be over.
  return Math.max(at, instantOf({ wall: `${day}T${quietUntil}`, minutes: 0 }, zone))
}

/** The reminders after `since` and until `now`. Those of quiet hours come at the end of these. Undefined in quiet hours. */
export function remindersBetween(tasks: Iterable<Task>, settings: ReminderSettings, { since, now }: Period) {
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

/** Looks for due reminders, so that one tab shows each. `find` begins where the page last had all changes, which may be late. */
export function createLooks(account: string, since: number | undefined) {
  const [untilKey, claimedKey] = [`reminders ${account} until`, `reminders ${account} claimed`]
  /** With a full storage, each tab shows all reminders. */
  const claimed = new Set<string>()

  function look(find: (period: Period) => DueReminder[] | undefined, caughtUpAt: number): DueReminder[] {
    const now = Date.now()
    // The first page of a browser looks for no earlier reminders.
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
    keepInBrowser(untilKey, now)
    if (news.length > 0) keepInBrowser(claimedKey, [...claimed])
    return [...new Map(news.map((each) => [each.item, each])).values()]
  }

  return {
    since: () => since,
    /** The reminders that no tab has shown, one for each task. `caughtUpAt`: when this page last had all changes. */
    async look(...given: Parameters<typeof look>): Promise<DueReminder[]> {
      // Without HTTPS there are no locks. `look` is synchronous, so tabs do not interleave within it.
      if (!navigator.locks) return look(...given)
      const { promise, resolve, reject } = Promise.withResolvers<DueReminder[]>()
      const lookAndHold = async () => {
        const news = look(...given)
        resolve(news)
        // Another process can get the lock before it gets what was stored.
        if (news.length > 0) await new Promise((end) => setTimeout(end, storedAfter))
      }
      navigator.locks.request(untilKey, lookAndHold).catch(reject)
      return await promise
    },
  }
}

const nameOf = ({ item, at }: DueReminder) => `${item} ${at}`
const instantIn = (name: string) => Number(name.split(' ')[1])
