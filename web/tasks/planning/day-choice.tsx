import { type RefObject, useId, useRef } from 'react'
import type { Task } from '#contract/tasks.ts'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { useDueShortcuts } from '../form/due-shortcuts.tsx'
import './day-choice.css'

type DayChoiceProps = {
  /** The field that takes any other day. */
  field: RefObject<HTMLInputElement | null>
  due: Pick<Task, 'dueDate' | 'dueTime'>
  /** The key of Someday. */
  somedayKey: string
  /** `time`: a new one, or null for none. */
  onChoose: (day: string | null, time?: string | null) => unknown
}

/** Buttons for the days that are chosen most, each with its key, and a field for any other day. */
export function DayChoice({ field, due: { dueDate, dueTime }, somedayKey, onChoose }: DayChoiceProps) {
  const id = useId()
  const first = useRef<HTMLButtonElement>(null)
  const choose = async ({ day, time }: Record<'day' | 'time', string>) => {
    // In the field, keys are typed.
    first.current?.focus()
    return onChoose(day, time === (dueTime ?? '') ? undefined : time || null)
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
        aria-description="No date"
        aria-keyshortcuts={somedayKey}
        data-key={somedayKey}
        onClick={({ detail }) => detail < 2 && onChoose(null)}
      >
        <span data-date="No date">Someday</span>
      </button>
      <Form className="field day-choice-other" onSubmit={choose}>
        <label htmlFor={id} data-key="d">
          Another day
        </label>
        <input
          ref={field}
          key={dueDate ?? ''}
          id={id}
          type="date"
          name="day"
          defaultValue={dueDate ?? ''}
          aria-keyshortcuts="d"
          required
        />
        <input
          key={`time ${dueTime}`}
          type="time"
          name="time"
          aria-label="Time"
          defaultValue={dueTime ?? ''}
        />
        <SubmitButton className="button">Move</SubmitButton>
      </Form>
    </div>
  )
}
