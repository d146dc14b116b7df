import type { MouseEvent } from 'react'
import { daysAfter, useToday } from '../../ui/civil-day.ts'
import './due-shortcuts.css'

/** The days that are a button: label, days from today, key in the dialogs that have one. */
export const dueShortcuts = [
  ['Today', 0, 't'],
  ['Tomorrow', 1, 'm'],
  ['Next week', 7, 'w'],
] as const

/** Buttons that fill in the form's due date. */
export function DueShortcuts() {
  const today = useToday()
  const choose = (days: number) => (event: MouseEvent<HTMLButtonElement>) => {
    const field = event.currentTarget.form?.elements.namedItem('dueDate') as HTMLInputElement
    field.value = daysAfter(today, days)
    // A value that a script sets is not reported as typed.
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <div className="due-shortcuts">
      {dueShortcuts.map(([label, days]) => (
        <button key={label} type="button" aria-label={`Due ${label.toLowerCase()}`} onClick={choose(days)}>
          {label}
        </button>
      ))}
    </div>
  )
}
