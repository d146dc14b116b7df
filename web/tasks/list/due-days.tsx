import { daysAfter } from '#contract/days.ts'
import { rest } from '../../parts/parts.ts'
import { useSettings } from '../../settings/settings-store.ts'
import { dayOfInstant, formatDay } from '../../ui/civil-day.ts'
import { formatDayOfYear, formatMonth, formatRange, weekAround } from '../../ui/day-headings.ts'
import { useLocale } from '../../ui/use-locale.ts'
import { useLoaded } from '../../ui/use-part.ts'
import { useDayDrop } from '../planning/use-day-drop.ts'
import type { Coming } from '../repeat/occurrences.ts'
import { TaskGroup, type TaskGroupProps } from './task-group.tsx'
import type { Row } from './use-rows.ts'
import './due-days.css'

const daysAlone = 7

const daysGroupedByWeek = 60

/** Up to this number, the tasks after those weeks are one group; more are grouped by month. */
const fewLater = 10

export type DueDaysProps = Omit<TaskGroupProps, 'label'> & { coming: readonly Coming[]; hasMore: boolean }

/** The next seven days are shown without tasks too: cards can be dropped on them. */
export function DueDays({ rows, coming: all, hasMore, ...shared }: DueDaysProps) {
  const loaded = useLoaded(rest, all.length > 0)
  const locale = useLocale()
  const { firstDay } = useSettings()
  const { over, ...dropZone } = useDayDrop()
  const { today } = shared
  if (!today) return
  const days = Array.from({ length: daysAlone }, (_, index) => daysAfter(today, index + 1))
  const last = days.at(-1) as string
  const end = hasMore ? (rows.at(-1)?.place.dueDate ?? '') : undefined
  const coming = end === undefined ? all : all.filter(({ day }) => day <= end)
  const labelOf = laterLabels(rows, { today, locale, firstDay })
  const groupOf = (day: string) => (day > last ? labelOf(day) : day)
  const dueIn = Map.groupBy(rows, ({ place }) => groupOf(dayOf(place)))
  const comingIn = Map.groupBy(coming, ({ day }) => groupOf(day))
  const laterDays = [...rows.map(({ place }) => dayOf(place)), ...coming.map(({ day }) => day)]
    .filter((day) => day > last)
    .toSorted()
  const tasksOf = (group: string, ofDay?: { label: string; day: string }) => {
    const due = dueIn.get(group) ?? []
    const named = comingIn.get(group)
    const below = named && loaded && <loaded.ComingTasks coming={named} isOneDay={ofDay !== undefined} />
    return (
      <TaskGroup
        key={group}
        label={group}
        {...ofDay}
        count={countOf(due)}
        rows={due}
        above={countBefore(due, rows)}
        below={below}
        {...shared}
      />
    )
  }
  return (
    <>
      <div {...dropZone}>
        {days.map((day, index) => (
          <div
            key={day}
            className="due-day"
            data-day={day}
            data-over={day === over}
            data-empty={!dueIn.has(day) && !comingIn.has(day)}
          >
            {tasksOf(day, { day, label: index === 0 ? 'Tomorrow' : formatDay(day, today, locale) })}
          </div>
        ))}
      </div>
      {[...new Set(laterDays.map(labelOf))].map((label) => tasksOf(label))}
    </>
  )
}

export const countOf = (rows: Row[]) => rows.filter(({ gap }) => gap === undefined).length || ''

const countBefore = ([first]: Row[], rows: Row[]) => first && rows.indexOf(first)

type Calendar = { today: string; locale: string; firstDay: Parameters<typeof weekAround>[1] }

const dayOf = ({ dueDate }: Row['place']) => dueDate ?? ''

function laterLabels(rows: Row[], { today, locale, firstDay }: Calendar): (day: string) => string {
  const [landmark, last] = [daysAfter(today, daysAlone), daysAfter(today, daysGroupedByWeek)]
  const later = rows.filter(({ place }) => dayOf(place) > last).length
  return (day) => {
    if (day > last) return later > fewLater ? formatMonth(day, today, locale) : 'Later'
    const [from, to] = weekAround(day, firstDay, locale)
    return formatRange(from > landmark ? from : daysAfter(landmark, 1), to, locale)
  }
}

export function CompletionDays({ rows, ...shared }: Omit<TaskGroupProps, 'label'>) {
  const locale = useLocale()
  const groups = Map.groupBy(rows, ({ place }) => dayOfInstant(place.doneAt ?? place.createdAt))
  return [...groups].map(([day, group]) => (
    <TaskGroup
      key={day}
      label={labelOf(day, shared.today, locale)}
      count={countOf(group)}
      rows={group}
      above={countBefore(group, rows)}
      isLine
      {...shared}
    />
  ))
}

function labelOf(day: string, today: string, locale: string): string {
  if (day === today) return 'Today'
  if (today && day === daysAfter(today, -1)) return 'Yesterday'
  return formatDayOfYear(day, today, locale)
}
