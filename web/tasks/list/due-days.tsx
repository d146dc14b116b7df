import { useSettings } from '../../settings/settings-store.ts'
import { daysAfter, formatDay } from '../../ui/civil-day.ts'
import { formatMonth, formatRange, weekAround } from '../../ui/day-headings.ts'
import { useLocale } from '../../ui/locale.ts'
import { useDayDrop } from '../planning/use-day-drop.ts'
import { TaskGroup, type TaskGroupProps } from './task-group.tsx'
import type { Row } from './use-rows.ts'
import './due-days.css'

/** The number of days after today that have a group each, with or without tasks. */
const daysAlone = 7

/** The number of days after today that are grouped by week. */
const daysInWeeks = 60

/** Up to this number, the tasks after those weeks are one group; more are grouped by month. */
const fewLater = 10

/**
 * Upcoming tasks: the next seven days as landmarks, on which cards can be dropped; then one group a week; and after two
 * months one named "Later", or one a month if they are many.
 */
export function DueDays({ rows, ...shared }: Omit<TaskGroupProps, 'label'>) {
  const locale = useLocale()
  const { firstDay } = useSettings()
  const { over, ...dropZone } = useDayDrop()
  const { today } = shared
  if (!today) return
  const days = Array.from({ length: daysAlone }, (_, index) => daysAfter(today, index + 1))
  const byDay = Map.groupBy(rows, ({ place }) => place.dueDate)
  const groups = laterGroups(rows, { today, locale, firstDay })
  return (
    <>
      <div {...dropZone}>
        {days.map((day, index) => {
          const due = byDay.get(day) ?? []
          return (
            <div
              key={day}
              className="due-day"
              data-day={day}
              data-over={day === over}
              data-empty={due.length === 0}
            >
              <TaskGroup
                label={index === 0 ? 'Tomorrow' : formatDay(day, today, locale)}
                count={countOf(due)}
                day={day}
                rows={due}
                above={placeOf(due, rows)}
                {...shared}
              />
            </div>
          )
        })}
      </div>
      {[...groups].map(([label, due]) => (
        <TaskGroup
          key={label}
          label={label}
          count={countOf(due)}
          rows={due}
          above={placeOf(due, rows)}
          {...shared}
        />
      ))}
    </>
  )
}

export const countOf = (rows: Row[]) => rows.filter(({ gap }) => gap === undefined).length || ''

/** The number of rows before those of a group. */
export const placeOf = ([first]: Row[], rows: Row[]) => first && rows.indexOf(first)

type Calendar = { today: string; locale: string; firstDay: Parameters<typeof weekAround>[1] }

function laterGroups(rows: Row[], { today, locale, firstDay }: Calendar): Map<string, Row[]> {
  const [landmark, last] = [daysAfter(today, daysAlone), daysAfter(today, daysInWeeks)]
  const dayOf = ({ place }: Row) => place.dueDate ?? ''
  const after = rows.filter((row) => dayOf(row) > landmark)
  const later = after.filter((row) => dayOf(row) > last).length
  return Map.groupBy(after, (row) => {
    const dueDate = dayOf(row)
    if (dueDate > last) return later > fewLater ? formatMonth(dueDate, today, locale) : 'Later'
    const [from, to] = weekAround(dueDate, firstDay, locale)
    return formatRange(from > landmark ? from : daysAfter(landmark, 1), to, locale)
  })
}
