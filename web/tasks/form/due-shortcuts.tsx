import type { ReactNode } from 'react'
import { formatCivil, useDayContext } from '../../ui/civil-day.ts'
import './due-shortcuts.css'
import { daysAfter } from '#contract/days.ts'
import { nextWeekday } from '#contract/words/calendar-days.ts'

export const dateBeside = (day: string, locale: string): string =>
  day && formatCivil(day, locale, { day: 'numeric', month: 'short' })

type DueShortcutsProps = { onChoose: (values: { dueDate: string }) => void; children: ReactNode }

export function DueShortcuts({ onChoose, children }: DueShortcutsProps) {
  const { today, locale } = useDayContext()
  return (
    <div className="due-shortcuts wraps tight">
      {daysToChoose(today).map(({ label, day }) => {
        const date = dateBeside(day, locale)
        return (
          <button
            key={label}
            type="button"
            aria-label={`Due ${label.toLowerCase()}`}
            aria-description={date}
            onClick={() => onChoose({ dueDate: day })}
          >
            <span data-date={date}>{label}</span>
          </button>
        )
      })}
      {children}
    </div>
  )
}

/** Next week begins on Monday. */
export const daysToChoose = (today: string) =>
  [
    { label: 'Today', key: 't', day: today },
    { label: 'Tomorrow', key: 'm', day: today && daysAfter(today, 1) },
    { label: 'Next week', key: 'w', day: today && nextWeekday(daysAfter(today, 1), 0) },
  ] as const

export const noDay = { label: 'Someday', key: 's', day: null }
