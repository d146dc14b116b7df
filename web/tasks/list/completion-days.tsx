import { daysAfter } from '#contract/days.ts'
import { dayOfInstant } from '../../ui/civil-day.ts'
import { formatDayOfYear } from '../../ui/day-headings.ts'
import { useLocale } from '../../ui/locale.ts'
import { countOf, placeOf } from './due-days.tsx'
import { TaskGroup, type TaskGroupProps } from './task-group.tsx'
import type { Row } from './use-rows.ts'

/** Done tasks under the days on which they were completed, in the reader's time zone. */
export function CompletionDays({ rows, ...shared }: Omit<TaskGroupProps, 'label'>) {
  const locale = useLocale()
  return [...byCompletionDay(rows)].map(([day, group]) => (
    <TaskGroup
      key={day}
      label={labelFor(day, shared.today, locale)}
      count={countOf(group)}
      rows={group}
      above={placeOf(group, rows)}
      isLine
      {...shared}
    />
  ))
}

const byCompletionDay = (rows: Row[]): Map<string, Row[]> =>
  Map.groupBy(rows, ({ place }) => dayOfInstant(place.doneAt ?? place.createdAt))

function labelFor(day: string, today: string, locale: string): string {
  if (day === today) return 'Today'
  if (today && day === daysAfter(today, -1)) return 'Yesterday'
  return formatDayOfYear(day, today, locale)
}
