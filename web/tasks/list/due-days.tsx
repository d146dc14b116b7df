import { daysAfter, formatDay } from '../../ui/civil-day.ts'
import { formatMonth } from '../../ui/day-headings.ts'
import { useLocale } from '../../ui/locale.ts'
import { TaskGroup, type TaskGroupProps } from './task-group.tsx'
import type { Entry } from './use-gaps.ts'

/** The number of days after today that have a group each. */
const daysAlone = 30

/** Up to this number, the tasks after those days are one group; more are grouped by month. */
const fewLater = 10

/** Upcoming tasks under the days on which they are due, and after 30 days under "Later", or under months if they are many. */
export function DueDays({ entries, ...shared }: Omit<TaskGroupProps, 'label'>) {
  const locale = useLocale()
  return [...byDueDay(entries, shared.today, locale)].map(([label, group]) => (
    <TaskGroup key={label} label={label} entries={group} {...shared} />
  ))
}

function byDueDay(entries: Entry[], today: string, locale: string): Map<string, Entry[]> {
  const last = today && daysAfter(today, daysAlone)
  const later = entries.filter(({ task }) => task.dueDate > last).length
  return Map.groupBy(entries, ({ task: { dueDate } }) => {
    if (dueDate <= last) return labelOf(dueDate, today, locale)
    return later > fewLater ? formatMonth(dueDate, today, locale) : 'Later'
  })
}

function labelOf(day: string, today: string, locale: string): string {
  return day === daysAfter(today, 1) ? 'Tomorrow' : formatDay(day, today, locale)
}
