import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { timeHere, todayHere } from '#contract/days.ts'
import type { Task } from '#contract/tasks.ts'
import { offered } from '../../engine/verbs/verb.ts'
import { Button } from '../../ui/button.tsx'
import { formatDay, formatTime, useDayContext } from '../../ui/civil-day.ts'
import { ignoreRepeats } from '../../ui/drop-second-click.ts'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { pressedKey } from '../../ui/pressed-key.ts'
import { dateBeside, daysToChoose, noDay } from '../form/due-shortcuts.tsx'
import { findDates } from '../words/find-dates.ts'
import { typedDay } from '../words/typed-day.ts'
import './day-choice.css'

/** `key`: the letter that chooses it, with Enter, in the field. */
export type Action = { key: string; label: string; run: () => unknown }

type DayChoiceProps = {
  field: RefObject<HTMLInputElement | null>
  /** Of the task that is chosen for, if it is one. */
  due: Pick<Task, 'dueDate' | 'dueTime'> & Partial<Pick<Task, '_id'>>
  actions: readonly Action[]
  /** `time`: a new one, or null for none. */
  onChoose: (day: string | null, time?: string | null) => unknown
  /** Gets the typed day: null for “no date”, undefined if the text is no day. */
  onRead?: ((day: string | null | undefined) => void) | undefined
}

const examples = 'fri, 15, weekend, 5pm'

/** The time in the field beside the days: null if it is empty, undefined if it is unchanged. */
export function timeBeside(field: RefObject<HTMLInputElement | null>, { dueTime }: Pick<Task, 'dueTime'>) {
  const time = field.current?.form?.elements.namedItem('time')
  if (!(time instanceof HTMLInputElement) || time.value === (dueTime ?? '')) return
  return time.value || null
}

/** Whether a focused field would cover the buttons with the keyboard of the device. */
const isTouched = () => matchMedia('(pointer: coarse)').matches

export function focusField(field: RefObject<HTMLInputElement | null>) {
  if (!isTouched()) field.current?.focus()
}

/** The field has the focus: a letter and Enter in it choose the button that has the letter. */
export function DayChoice({ field, due, actions, onChoose, onRead }: DayChoiceProps) {
  const { today, locale } = useDayContext()
  const days = [
    ...daysToChoose(today).map((each) => ({ ...each, date: dateBeside(each.day, locale) })),
    { ...noDay, date: 'No date' },
  ]
  const letters = [...actions, ...days.map(({ day, ...each }) => ({ ...each, run: () => onChoose(day) }))]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <div className="day-choice wraps keyed" onKeyDown={ignoreRepeats}>
      {days.map(({ label, key, day, date }, index) => (
        <Button
          key={key}
          data-focus-first={(index === 0 && isTouched()) || undefined}
          aria-label={`Move to ${label.toLowerCase()}`}
          aria-description={date}
          data-key={key}
          // The second click of a double click would move the next task.
          onClick={({ detail }) => detail < 2 && onChoose(day)}
        >
          <span data-date={date}>{label}</span>
        </Button>
      ))}
      <OtherDay key={due._id} {...{ field, due, letters, onChoose, onRead }} />
    </div>
  )
}

type OtherDayProps = Omit<DayChoiceProps, 'actions'> & { letters: readonly Action[] }

function OtherDay({ field, due, letters, onChoose, onRead }: OtherDayProps) {
  const id = useId()
  const { dueDate, dueTime } = due
  const { today, locale } = useDayContext()
  const [text, setText] = useState('')
  const [isUnread, setUnread] = useState(false)
  const pressed = useRef('')
  // Before the next task is drawn: a key that is pressed then is not lost. In a dialog that opens, the dialog does so.
  useLayoutEffect(() => focusField(field), [field])

  /** On a layout of another script, the key of the letter counts. */
  function lettered(words: string): Action | undefined {
    const letter = words.trim().toLowerCase()
    if ([...letter].length !== 1) return
    return (
      letters.find(({ key }) => key === letter) ??
      letters.find(({ key }) => !/[a-z\d]/.test(letter) && key === pressed.current)
    )
  }
  const read = (words: string) => {
    const now = { today: todayHere(), time: timeHere() }
    // The label of a button is the day of the button.
    const chosen = daysToChoose(now.today).find(
      ({ label }) => label.toLowerCase() === words.trim().toLowerCase(),
    )
    return chosen ? { day: chosen.day } : typedDay(words, { now, due: dueDate, findDates })
  }

  async function choose({ day: words }: Record<'day', string>) {
    const action = lettered(words)
    if (action) {
      setText('')
      return action.run()
    }
    const typedTime = timeBeside(field, due)
    const isTimeAlone = words.trim() === '' && typedTime !== undefined && dueDate !== null
    const typed = isTimeAlone ? { day: dueDate } : read(words)
    if (!typed) {
      setUnread(true)
      return field.current?.focus()
    }
    return onChoose(typed.day, typed.time ?? typedTime)
  }

  const typed = read(text)
  const tellRead = useEffectEvent((day: string | null | undefined) => onRead?.(day))
  useEffect(() => tellRead(typed?.day), [typed?.day])
  const letter = lettered(text)
  return (
    <Form className="field day-choice-other" onSubmit={choose}>
      <label htmlFor={id}>Another day</label>
      <input
        ref={field}
        id={id}
        name="day"
        value={text}
        placeholder={examples}
        aria-invalid={isUnread}
        aria-describedby={`${id}-read`}
        autoComplete="off"
        autoCapitalize="none"
        maxLength={100}
        dir="auto"
        onKeyDown={({ nativeEvent }) => {
          const key = pressedKey(nativeEvent)
          if (key.length === 1) pressed.current = key.toLowerCase()
        }}
        onChange={({ target }) => {
          setText(target.value)
          setUnread(false)
        }}
      />
      <input key={`time ${dueTime}`} type="time" name="time" aria-label="Time" defaultValue={dueTime ?? ''} />
      <SubmitButton className="button">{offered.move.label}</SubmitButton>
      <p id={`${id}-read`} role="status" className={isUnread ? 'field-error' : 'field-help'}>
        {isUnread
          ? `Another day must be a day or a time, such as ${examples}`
          : (letter?.label ?? (typed && readAs(typed, today, locale)))}
        {text === '' && !isUnread && (
          <span className="day-choice-hint">Type a day, or the letter of a button and Enter</span>
        )}
      </p>
    </Form>
  )
}

function readAs({ day, time }: { day: string | null; time?: string }, today: string, locale: string) {
  if (day === null) return 'No date'
  const named = formatDay(day, today, locale)
  return time ? `${named}, ${formatTime(time, locale)}` : named
}
