import { type RefObject, useId, useRef, useState } from 'react'
import { timeHere, todayHere } from '#contract/days.ts'
import type { Task } from '#contract/tasks.ts'
import { formatDay, formatTime, useToday } from '../../ui/civil-day.ts'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { useLocale } from '../../ui/locale.ts'
import { daysToChoose } from '../form/days-to-choose.ts'
import { dateBeside } from '../form/due-shortcuts.tsx'
import { typedDay } from '../words/typed-day.ts'
import { loadDateWords, useDateWords } from '../words/use-date-words.ts'
import './day-choice.css'

type DayChoiceProps = {
  /** The field that takes any other day. */
  field: RefObject<HTMLInputElement | null>
  /** Of the task that is chosen for, if it is one. */
  due: Pick<Task, 'dueDate' | 'dueTime'> & Partial<Pick<Task, '_id'>>
  /** The key of Someday. */
  somedayKey: string
  /** `time`: a new one, or null for none. */
  onChoose: (day: string | null, time?: string | null) => unknown
}

const examples = 'fri, 15, weekend, 5pm'

/** The time beside the field of another day, which also goes with a day that a button names: null for none, undefined if it is the one before. */
export function timeBeside(
  field: RefObject<HTMLInputElement | null>,
  { dueTime }: Pick<Task, 'dueTime'>,
): string | null | undefined {
  const time = field.current?.form?.elements.namedItem('time')
  if (!(time instanceof HTMLInputElement) || time.value === (dueTime ?? '')) return
  return time.value || null
}

/** Buttons for the days that are chosen most, each with its key, and a field that reads any other day as the quick line does. */
export function DayChoice({ field, due, somedayKey, onChoose }: DayChoiceProps) {
  const first = useRef<HTMLButtonElement>(null)
  const [today, locale] = [useToday(), useLocale()]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <div className="day-choice" onKeyDown={ignoreRepeats}>
      {daysToChoose(today).map(({ label, key, day }, index) => (
        <button
          ref={index === 0 ? first : undefined}
          key={label}
          data-focus-first={index === 0 || undefined}
          type="button"
          className="button"
          aria-label={`Move to ${label.toLowerCase()}`}
          aria-description={dateBeside(day, locale)}
          aria-keyshortcuts={key}
          data-key={key}
          // The second click of a double click would move the next task.
          onClick={({ detail }) => detail < 2 && onChoose(day)}
        >
          <span data-date={dateBeside(day, locale)}>{label}</span>
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
      <OtherDay
        key={due._id}
        {...{ field, due }}
        onChoose={(day, time) => {
          // In the field, keys are typed.
          first.current?.focus()
          return onChoose(day, time)
        }}
      />
    </div>
  )
}

/** The field for any other day, with a time. What was typed for one task does not stay for the next one. */
function OtherDay({ field, due, onChoose }: Omit<DayChoiceProps, 'somedayKey'>) {
  const id = useId()
  const { dueDate, dueTime } = due
  const [today, locale] = [useToday(), useLocale()]
  const { findDates, load } = useDateWords()
  const [text, setText] = useState('')
  const [isUnread, setUnread] = useState(false)
  const read = (words: string, find = findDates) => {
    const now = { today: todayHere(), time: timeHere() }
    // The label of a button is the day of the button.
    const chosen = daysToChoose(now.today).find(
      ({ label }) => label.toLowerCase() === words.trim().toLowerCase(),
    )
    return chosen ? { day: chosen.day } : typedDay(words, { now, due: dueDate, findDates: find })
  }

  async function choose({ day: words }: Record<'day', string>) {
    const typedTime = timeBeside(field, due)
    const isTimeAlone = words.trim() === '' && typedTime !== undefined && dueDate !== null
    const typed = isTimeAlone ? { day: dueDate } : read(words, await loadDateWords().catch(() => undefined))
    if (!typed) {
      setUnread(true)
      return field.current?.focus()
    }
    return onChoose(typed.day, typed.time ?? typedTime)
  }

  const typed = read(text)
  return (
    <Form className="field day-choice-other" onSubmit={choose}>
      <label htmlFor={id} data-key="d">
        Another day
      </label>
      <input
        ref={field}
        id={id}
        name="day"
        value={text}
        placeholder={examples}
        aria-keyshortcuts="d"
        aria-invalid={isUnread}
        aria-describedby={`${id}-read`}
        autoComplete="off"
        autoCapitalize="none"
        maxLength={100}
        dir="auto"
        onFocus={load}
        onChange={({ target }) => {
          setText(target.value)
          setUnread(false)
        }}
      />
      <input key={`time ${dueTime}`} type="time" name="time" aria-label="Time" defaultValue={dueTime ?? ''} />
      <SubmitButton className="button">Move</SubmitButton>
      <p id={`${id}-read`} role="status" className={isUnread ? 'field-error' : 'field-help'}>
        {isUnread
          ? `Another day must be a day or a time, such as ${examples}`
          : typed && readAs(typed, today, locale)}
      </p>
    </Form>
  )
}

/** The day and the time as which the text was read. */
function readAs({ day, time }: { day: string | null; time?: string }, today: string, locale: string) {
  if (day === null) return 'No date'
  return time
    ? `${formatDay(day, today, locale)}, ${formatTime(time, locale)}`
    : formatDay(day, today, locale)
}
