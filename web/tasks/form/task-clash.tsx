import { useEffect, useId, useRef } from 'react'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../../api/client.ts'
import { isGone } from '../../engine/store/change-errors.ts'
import { add as addTask } from '../../engine/verbs/add-edit.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { formatDay, formatTime, useDayContext } from '../../ui/civil-day.ts'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { remindersText } from '../reminders/reminder-text.ts'
import { ruleText } from '../repeat/rule-text.ts'
import { choose, type FieldName, type FormValues, isSameText, namesIn } from './form-values.ts'
import { capitalized } from './task-form.tsx'
import type { TaskFormState } from './use-task-form.ts'
import './task-clash.css'

export const labelOf = (field: FieldName) => taskFields[field].label.toLowerCase()

export type KeptValue = 'mine' | 'theirs' | 'both'

export const choices: { kept: KeptValue; label: string }[] = [
  { kept: 'mine', label: 'Keep this one' },
  { kept: 'theirs', label: 'Use the other' },
  { kept: 'both', label: 'Keep both' },
]

/** Fields that only others have changed get the newer values. `clashes`: the fields that both have changed, differently. */
export function merge(base: Task, typed: FormValues, newer: Task) {
  const isEditedHere = (name: FieldName) => !isSameText(typed[name], base[name])
  const clashes = namesIn(typed).filter(
    (name) =>
      isEditedHere(name) && !isSameText(newer[name], base[name]) && !isSameText(newer[name], typed[name]),
  )
  return { clashes, values: choose(typed, (name) => (isEditedHere(name) ? typed[name] : newer[name])) }
}

type TaskClashProps = {
  field: FieldName
  theirs: Task
  /** Whether this is the first clash of the form, which takes the focus unless a field is in use. */
  takesFocus: boolean
  onDecide: (field: FieldName, kept: KeptValue) => void
}

export function TaskClash({ field, theirs, takesFocus, onDecide }: TaskClashProps) {
  const id = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  // Not a button: the key that saved may still be down.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later clashes become the first without taking the focus
  useEffect(() => {
    if (takesFocus) group.current?.focus()
  }, [theirs])
  return (
    <fieldset ref={group} className="task-clash stack" data-field={field} aria-labelledby={id} tabIndex={-1}>
      <p id={id} className="soft small">
        Changed elsewhere ({labelOf(field)})
      </p>
      <p className="task-clash-text" dir="auto">
        <ValueOf field={field} value={theirs[field]} />
      </p>
      <div className="task-clash-choices wraps targets">
        {choices
          .filter(({ kept }) => kept !== 'both' || 'isLong' in taskFields[field])
          .map(({ kept, label }) => (
            <LinkButton key={kept} onClick={() => onDecide(field, kept)}>
              {label}
              <span className="visually-hidden"> ({labelOf(field)})</span>
            </LinkButton>
          ))}
      </div>
    </fieldset>
  )
}

export function ValueOf({ field, value }: { field: FieldName; value: string | null }) {
  const { today, locale } = useDayContext()
  const { type } = taskFields[field]
  if (!value) return <em>Nothing</em>
  if (field === 'repeat') return ruleText(value, 'due', { today, locale })
  if (field === 'reminders') return remindersText(value, { today, locale })
  if (type === 'day') return formatDay(value, today, locale)
  if (type === 'time') return formatTime(value, locale)
  return type === 'rank' ? capitalized(value) : value
}

type EditFailureProps = {
  error: Error
  form: TaskFormState
  isDecided: boolean
  onSend: (values: FormValues) => string
  onAdded: (sent: FormValues) => void
}

export function EditFailure({ error, form, isDecided, onAdded, onSend }: EditFailureProps) {
  if (isGone(error)) return <DeletedElsewhere form={form} onAdded={onAdded} onSend={onSend} />
  if (!problemFrom(error)?.problem.current) return `The change was not saved. ${error.message}`
  return (
    <p>
      This task was changed elsewhere, so your change is not saved yet.{' '}
      {isDecided ? 'Save again to keep what is here.' : 'Choose what to keep, then save again.'}
    </p>
  )
}

function DeletedElsewhere({ form, onAdded, onSend }: Pick<EditFailureProps, 'form' | 'onAdded' | 'onSend'>) {
  const { attempt, error } = useAttempt(useEngine().changes.makeAwaited)
  const [add] = useOneAtATime(async () => {
    const values = form.validValues()
    if (!values) return
    const mutation = onSend(values)
    await attempt(addTask.make(mutation, values), { mutation }).then(
      () => onAdded(values),
      () => {},
    )
  })
  return (
    <>
      <p>This task was deleted elsewhere.{error && ` It was not added again. ${error.message}`}</p>
      <LinkButton onClick={add}>Add as a new task</LinkButton>
    </>
  )
}
