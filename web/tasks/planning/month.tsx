import { type KeyboardEvent, memo, useDeferredValue, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { daysAfter } from '#contract/days.ts'
import { dueDates } from '#contract/limits.ts'
import { monthsAfter as sameDateAfter } from '#contract/words/calendar-days.ts'
import { useSettings } from '../../settings/settings-store.ts'
import { useStored } from '../../state/use-engine.tsx'
import { formatCivil, useToday } from '../../ui/civil-day.ts'
import { firstDayNumber } from '../../ui/day-headings.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLocale } from '../../ui/use-locale.ts'
import type { Coming } from '../repeat/occurrences.ts'
import { useComing } from '../repeat/task-repeat.tsx'
import { useDayDrop } from './use-day-drop.ts'
import './month.css'

type DaySelection = {
  selected: string | undefined
  onSelect: (day: string) => void
  /** The calendar goes to the month of this day. Without one, it goes back to its first month. */
  shown?: string | null | undefined
}

export function Month(selection: DaySelection) {
  // It depends on the reader's clock, so it is not in the prerendered HTML.
  const today = useToday()
  // A changed task is painted first.
  const openDays = useDeferredValue(useStored((store) => store.openDays()))
  const coming = useDeferredValue(useComing())
  return (
    <div className="calendar small">
      {today && <MonthOf {...{ today, openDays, coming }} {...selection} />}
    </div>
  )
}

type MonthProps = DaySelection & {
  today: string
  openDays: ReadonlyMap<string, number>
  coming: readonly Coming[]
}

const MonthOf = memo(({ today, openDays, coming, selected, onSelect, shown }: MonthProps) => {
  const comingDays = useMemo(() => new Set(coming.map(({ day }) => day)), [coming])
  const locale = useLocale()
  const { firstDay } = useSettings()
  const weekStart = useMemo(() => firstDayNumber(firstDay, locale), [firstDay, locale])
  // Until another month is chosen, it is that of today, also after midnight.
  const first = shown ?? (selected && selected > today ? selected : undefined)
  const [chosen, choose] = useState(first && monthOf(first))
  const [lastShown, setLastShown] = useState(shown)
  if (shown !== lastShown) {
    setLastShown(shown)
    choose(first && monthOf(first))
  }
  if (chosen === monthOf(today)) choose(undefined)
  const month = chosen ?? monthOf(today)
  const [focused, setFocused] = useState<string>()
  // Tab goes to one day of the month.
  const tabStop = [focused, selected, today].find((day) => day && monthOf(day) === month) ?? month
  const grid = useRef<HTMLTableElement>(null)
  const { over, ...dropZone } = useDayDrop()
  const weeks = useMemo(() => weeksAround(month, weekStart), [month, weekStart])
  const text = (day: string, options: Intl.DateTimeFormatOptions) => formatCivil(day, locale, options)
  const caption = text(month, { month: 'long', year: 'numeric' })

  const show = (day: string) => choose(monthOf(day))

  function onKeyDown(event: KeyboardEvent) {
    const from = (event.target as HTMLElement).closest<HTMLElement>('[data-day]')?.dataset.day
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return
    const day = dayAtKey(event.key, event.shiftKey, from, weekStart)
    if (!day) return
    event.preventDefault()
    flushSync(() => show(day))
    grid.current?.querySelector<HTMLElement>(`[data-day="${day}"] button`)?.focus()
  }

  function dayButton(day: string) {
    const load = openDays.has(day) ? ', has tasks' : comingDays.has(day) ? ', a task comes again' : ''
    const name = `${day === today ? 'Today, ' : ''}${text(day, { dateStyle: 'full' })}`
    return (
      <button
        type="button"
        tabIndex={day === tabStop ? 0 : -1}
        aria-label={`${name}${load}${day === selected ? ', selected' : ''}`}
        onClick={() => onSelect(day)}
        onFocus={() => setFocused(day)}
      >
        {Number(day.slice(8))}
      </button>
    )
  }

  return (
    <div {...dropZone}>
      <div className="calendar-head row">
        <span role="status">{caption}</span>
        <button
          type="button"
          aria-label="Go to the Previous Month"
          onClick={() => show(monthsAfter(month, -1))}
        >
          <Icon name="back" />
        </button>
        <button type="button" aria-label="Go to the Next Month" onClick={() => show(monthsAfter(month, 1))}>
          <Icon name="back" />
        </button>
      </div>
      {/** biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of days is an interactive grid (ARIA APG). */}
      <table ref={grid} role="grid" aria-label={caption} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" aria-label={text(day, { weekday: 'long' })}>
                {text(day, { weekday: 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid is a gridcell, which may be selected.
                <td
                  key={day}
                  data-day={day}
                  data-today={day === today || undefined}
                  data-outside={monthOf(day) !== month || undefined}
                  data-load={loadOf(openDays.get(day)) ?? (comingDays.has(day) ? 'coming' : undefined)}
                  className={day === over ? 'calendar-over' : undefined}
                  aria-selected={day === selected || undefined}
                >
                  {dayButton(day)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
})

function loadOf(tasks = 0) {
  if (tasks > 5) return 'packed'
  if (tasks > 2) return 'full'
  return tasks > 0 ? 'busy' : undefined
}

/** A month is named by its first day. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/** The first week contains `first`. `weekStart`: 0 is Sunday. */
export function weeksAround(first: string, weekStart: number): string[][] {
  const start = daysAfter(first, -daysIntoWeek(first, weekStart))
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => daysAfter(start, week * 7 + weekday)),
  )
}

/** If that month is shorter, its last day. */
export const monthsAfter = (day: string, months: number): string => withinDueDates(sameDateAfter(day, months))

/** As in a grid of days (ARIA APG, Date Picker Dialog). Undefined for any other key. */
export function dayAtKey(key: string, shiftKey: boolean, day: string, weekStart: number): string | undefined {
  const intoWeek = daysIntoWeek(day, weekStart)
  const months = shiftKey ? 12 : 1
  const moves: Record<string, () => string> = {
    ArrowLeft: () => daysAfter(day, -1),
    ArrowRight: () => daysAfter(day, 1),
    ArrowUp: () => daysAfter(day, -7),
    ArrowDown: () => daysAfter(day, 7),
    Home: () => daysAfter(day, -intoWeek),
    End: () => daysAfter(day, 6 - intoWeek),
    PageUp: () => monthsAfter(day, -months),
    PageDown: () => monthsAfter(day, months),
  }
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined
  return move && withinDueDates(move())
}

const daysIntoWeek = (day: string, weekStart: number) =>
  (new Date(`${day}T00:00Z`).getUTCDay() - weekStart + 7) % 7

function withinDueDates(day: string): string {
  if (day < dueDates.min) return dueDates.min
  return day > dueDates.max ? dueDates.max : day
}
