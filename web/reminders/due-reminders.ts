import { reminderTimes } from '#contract/reminder-times.ts'
import type { Task } from '#contract/tasks.ts'
import { instantOf } from '../tasks/reminders/reminder-text.ts'

/** A reminder of a task at an instant, in milliseconds. */
export type DueReminder = { item: string; at: number }

/** How long after its instant a page still shows a reminder, in milliseconds: as long as the server sends one. */
const shownFor = 2 * 3_600_000

/** The instants at which an open task reminds. */
const instantsOf = (task: Task, byDefault: string): number[] =>
  task.doneAt === null && task.deletedAt === null ? reminderTimes(task, byDefault).map(instantOf) : []

/** Whether a task still reminds at this instant: it is open, and neither moved nor without this reminder. */
export const stillReminds = (task: Task | undefined, at: number, byDefault: string): boolean =>
  task !== undefined && instantsOf(task, byDefault).includes(at)

/** The reminders after `since` and until `now`, in their order; of one task, the last. A task has none from before it was created. */
export function remindersBetween(
  tasks: Iterable<Task>,
  byDefault: string,
  { since, now }: { since: number; now: number },
): DueReminder[] {
  const found: DueReminder[] = []
  for (const task of tasks) {
    if (task.dueTime === null && task.reminders === null) continue
    const start = Math.max(since, now - shownFor, Date.parse(task.createdAt))
    const at = Math.max(...instantsOf(task, byDefault).filter((at) => at > start && at <= now))
    if (Number.isFinite(at)) found.push({ item: task._id, at })
  }
  return found.sort((one, other) => one.at - other.at)
}

/**
 * Returns the reminders that have come since the last call of any tab of this browser, so that one tab shows each. The first call
 * in a browser returns none.
 */
export async function claimReminders(
  account: string,
  find: (period: { since: number; now: number }) => DueReminder[],
): Promise<DueReminder[]> {
  const key = `reminders ${account} until`
  const claim = () => {
    const now = Date.now()
    const since = Number(localStorage.getItem(key) ?? now)
    localStorage.setItem(key, `${now}`)
    return find({ since, now })
  }
  // A page that is not secure has no locks. Between two lines of this function, no other tab is shown.
  return navigator.locks ? await navigator.locks.request(key, claim) : claim()
}
