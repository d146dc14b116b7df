import { type RefObject, useId, useRef } from 'react'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { useDueShortcuts } from '../form/due-shortcuts.tsx'
import './day-choice.css'

type DayChoiceProps = {
  /** The field that takes any other day. */
  field: RefObject<HTMLInputElement | null>
  dueDate: string | null
  /** The key of Someday. */
  somedayKey: string
  onChoose: (day: string | null) => unknown
}

/** Buttons for the days that are chosen most, each with its key, and a field for any other day. */
export function DayChoice({ field, dueDate, somedayKey, onChoose }: DayChoiceProps) {
  const id = useId()
  const first = useRef<HTMLButtonElement>(null)
  const choose = async ({ day }: Record<'day', string>) => {
    // In the field, keys are typed.
    first.current?.focus()
    return onChoose(day)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <div className="day-choice" onKeyDown={ignoreRepeats}>
      {useDueShortcuts().map(({ label, key, day, date }, index) => (
        <button
          ref={index === 0 ? first : undefined}
          key={label}
          data-focus-first={index === 0 || undefined}
          type="button"
          className="button"
          aria-label={`Move to ${label.toLowerCase()}`}
          aria-description={date}
          aria-keyshortcuts={key}
          data-key={key}
          // The second click of a double click would move the next task.
          onClick={({ detail }) => detail < 2 && onChoose(day)}
        >
          <span data-date={date}>{label}</span>
        </button>
      ))}
      <button
        type="button"
        className="button"
        aria-label="Move to someday"
        aria-description="Without a date"
        aria-keyshortcuts={somedayKey}
        data-key={somedayKey}
        onClick={({ detail }) => detail < 2 && onChoose(null)}
      >
        <span>Someday</span>
      </button>
      <Form className="day-choice-other" onSubmit={choose}>
        <label htmlFor={id} data-key="d">
          Another day
        </label>
        <input
          ref={field}
          key={dueDate ?? ''}
          id={id}
          className="day-choice-field"
          type="date"
          name="day"
          defaultValue={dueDate ?? ''}
          aria-keyshortcuts="d"
          required
        />
        <SubmitButton className="button">Move</SubmitButton>
      </Form>
    </div>
  )
}
