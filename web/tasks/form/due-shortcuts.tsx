import type { MouseEvent, ReactNode } from 'react'
import { daysAfter, format, useToday } from '../../ui/civil-day.ts'
import { useLocale } from '../../ui/locale.ts'
import { fillIn } from './fill-in.ts'
import './due-shortcuts.css'

/** The days that are a button: label, days from today, key in the dialogs that have one. */
export const dueShortcuts = [
  ['Today', 0, 't'],
  ['Tomorrow', 1, 'm'],
  ['Next week', 7, 'w'],
] as const

const dayAndMonth = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const

/** The days that are a button, with their dates, which describe the buttons and are drawn beside their labels. */
export function useDueShortcuts() {
  const today = useToday()
  const locale = useLocale()
  return dueShortcuts.map(([label, days, key]) => {
    const day = today && daysAfter(today, days)
    return { label, key, day, date: day && format(`${day}T00:00Z`, locale, dayAndMonth) }
  })
}

/** Buttons that fill in the form's due date, and beside them the switch for none. */
export function DueShortcuts({ children }: { children: ReactNode }) {
  const choose = (day: string) => (event: MouseEvent<HTMLButtonElement>) => {
    const { form } = event.currentTarget
    if (!form) return
    fillIn(form, { dueDate: day })
    // A value that a script sets is not reported as typed.
    const field = form.elements.namedItem('dueDate') as HTMLInputElement
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <div className="due-shortcuts">
      {useDueShortcuts().map(({ label, day, date }) => (
        <button
          key={label}
          type="button"
          aria-label={`Due ${label.toLowerCase()}`}
          aria-description={date}
          onClick={choose(day)}
        >
          <span data-date={date}>{label}</span>
        </button>
      ))}
      {children}
    </div>
  )
}
