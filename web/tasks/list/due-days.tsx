import { daysAfter } from '#contract/days.ts'
import { useSettings } from '../../settings/settings-store.ts'
import { formatDay } from '../../ui/civil-day.ts'
import { formatMonth, formatRange, weekAround } from '../../ui/day-headings.ts'
import { useChunk } from '../../ui/use-chunk.ts'
import { useLocale } from '../../ui/use-locale.ts'
import { useDayDrop } from '../planning/use-day-drop.ts'
import type { Coming } from '../repeat/occurrences.ts'
import { loadRepeatTools } from '../repeat/task-repeat.tsx'
import { TaskGroup, type TaskGroupProps } from './task-group.tsx'
import type { Row } from './use-rows.ts'
import './due-days.css'
import { dayOfInstant } from '../../ui/civil-day.ts'
import { formatDayOfYear } from '../../ui/day-headings.ts'

/** The number of days after today that have a group each, with or without tasks. */
const daysAlone = 7

/** The number of days after today that are grouped by week. */
const daysInWeeks = 60

/** Up to this number, the tasks after those weeks are one group; more are grouped by month. */
const fewLater = 10

export type DueDaysProps = Omit<TaskGroupProps, 'label'> & { coming: readonly Coming[]; hasMore: boolean }

/**
 * Upcoming tasks: the next seven days as landmarks, on which cards can be dropped; then one group a week; and after two
 * months one named "Later", or one a month if they are many. Tasks that come again are named below the cards of these days.
 */
export function DueDays({ rows, coming: all, hasMore, ...shared }: DueDaysProps) {
  const [tools] = useChunk(loadRepeatTools, all.length > 0)
  const locale = useLocale()
  const { firstDay } = useSettings()
  const { over, ...dropZone } = useDayDrop()
  const { today } = shared
  if (!today) return
  const days = Array.from({ length: daysAlone }, (_, index) => daysAfter(today, index + 1))
  const byDay = Map.groupBy(rows, ({ place }) => place.dueDate)
  const end = hasMore ? (rows.at(-1)?.place.dueDate ?? '') : undefined
  const coming = end === undefined ? all : all.filter(({ day }) => day <= end)
  const comingOn = Map.groupBy(coming, ({ day }) => day)
  const below = (named: readonly Coming[] = [], isOneDay = false) =>
    typeof tools === 'object' && named.length > 0 && <tools.ComingTasks coming={named} isOneDay={isOneDay} />
  const labelOf = labels(rows, { today, locale, firstDay })
  const last = days.at(-1) as string
  const laterRows = Map.groupBy(
    rows.filter(({ place }) => dayOf(place) > last),
    ({ place }) => labelOf(dayOf(place)),
  )
  const laterComing = Map.groupBy(
    coming.filter(({ day }) => day > last),
    ({ day }) => labelOf(day),
  )
  const laterDays = [...rows.map(({ place }) => dayOf(place)), ...comingOn.keys()].filter((day) => day > last)
  const groups = new Set(laterDays.toSorted().map(labelOf))
  return (
    <>
      <div {...dropZone}>
        {days.map((day, index) => {
          const due = byDay.get(day) ?? []
          const named = comingOn.get(day)
          return (
            <div
              key={day}
              className="due-day"
              data-day={day}
              data-over={day === over}
              data-empty={due.length === 0 && !named}
            >
              <TaskGroup
                label={index === 0 ? 'Tomorrow' : formatDay(day, today, locale)}
                count={countOf(due)}
                day={day}
                rows={due}
                above={placeOf(due, rows)}
                below={below(named, true)}
                {...shared}
              />
            </div>
          )
        })}
      </div>
      {[...groups].map((label) => {
        const due = laterRows.get(label) ?? []
        return (
          <TaskGroup
            key={label}
            label={label}
            count={countOf(due)}
            rows={due}
            above={placeOf(due, rows)}
            below={below(laterComing.get(label))}
            {...shared}
          />
        )
      })}
    </>
  )
}

export const countOf = (rows: Row[]) => rows.filter(({ gap }) => gap === undefined).length || ''

/** The number of rows before those of a group. */
export const placeOf = ([first]: Row[], rows: Row[]) => first && rows.indexOf(first)

type Calendar = { today: string; locale: string; firstDay: Parameters<typeof weekAround>[1] }

const dayOf = ({ dueDate }: Row['place']) => dueDate ?? ''

/** Returns the function that returns the label of the group of a day after the landmarks. */
function labels(rows: Row[], { today, locale, firstDay }: Calendar): (day: string) => string {
  const [landmark, last] = [daysAfter(today, daysAlone), daysAfter(today, daysInWeeks)]
  const later = rows.filter(({ place }) => dayOf(place) > last).length
  return (day) => {
    if (day > last) return later > fewLater ? formatMonth(day, today, locale) : 'Later'
    const [from, to] = weekAround(day, firstDay, locale)
    return formatRange(from > landmark ? from : daysAfter(landmark, 1), to, locale)
  }
}

/** Done tasks under the days on which they were completed, in the reader's time zone. */
export function CompletionDays({ rows, ...shared }: Omit<TaskGroupProps, 'label'>) {
  const locale = useLocale()
  return [...byCompletionDay(rows)].map(([day, group]) => (
    <TaskGroup
      key={day}
      label={labelOf(day, shared.today, locale)}
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

function labelOf(day: string, today: string, locale: string): string {
  if (day === today) return 'Today'
  if (today && day === daysAfter(today, -1)) return 'Yesterday'
  return formatDayOfYear(day, today, locale)
}
