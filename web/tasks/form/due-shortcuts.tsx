import type { MouseEvent, ReactNode } from 'react'
import { format, useToday } from '../../ui/civil-day.ts'
import { useLocale } from '../../ui/locale.ts'
import { daysToChoose } from './days-to-choose.ts'
import { fillIn } from './fill-in.ts'
import './due-shortcuts.css'

const dayAndMonth = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const

/** The date of a day, which describes its button and is drawn beside the label. */
export const dateBeside = (day: string, locale: string): string =>
  day && format(`${day}T00:00Z`, locale, dayAndMonth)

/** Buttons that fill in the form's due date, and beside them the switch for none. */
export function DueShortcuts({ children }: { children: ReactNode }) {
  const today = useToday()
  const locale = useLocale()
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
      {daysToChoose(today).map(({ label, day }) => {
        const date = dateBeside(day, locale)
        return (
          <button
            key={label}
            type="button"
            aria-label={`Due ${label.toLowerCase()}`}
            aria-description={date}
            onClick={choose(day)}
          >
            <span data-date={date}>{label}</span>
          </button>
        )
      })}
      {children}
    </div>
  )
}
