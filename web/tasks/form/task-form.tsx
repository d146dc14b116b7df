import { type ComponentProps, type ReactNode, type RefObject, useState } from 'react'
import { type Field as Declared, isOptional, labelledNames, settled } from '#contract/fields.ts'
import { priorities } from '#contract/lists.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import type { ProblemError } from '../../api/client.ts'
import { rest } from '../../parts/parts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, SubmitButton, valuesOf } from '../../ui/form.tsx'
import { useLoaded } from '../../ui/use-part.ts'
import { DueShortcuts } from './due-shortcuts.tsx'
import { offSwitch } from './fill-in.ts'
import { TagCompletion } from './tag-completion.tsx'
import './task-form.css'

const names = labelledNames(taskFields)
/** The fields that other controls than one of their own fill in. */
const isHidden = (name: FieldName) => name === 'repeat' || name === 'repeatFrom' || name === 'reminders'
const isText = (name: FieldName) => taskFields[name].type === 'text'
const choices = names.filter((name) => !isText(name) && !isHidden(name))
const isLater = (name: FieldName) => isOptional(taskFields[name])

/** The values of the form: every field that a form has, filled in or not. */
export type FormValues = Required<TaskValues>
export type FieldName = keyof FormValues

export const isEqual = (values: Partial<FormValues>, others: FormValues): boolean =>
  names.every((name) => values[name] === others[name])

/** The values of the form. An empty field has its default. */
export function taskValuesOf(form: HTMLFormElement) {
  const values = valuesOf<FieldName>(form)
  const entries = names.map((name) => {
    const { default: empty = '' }: Declared = taskFields[name]
    return [name, values[name] || (offSwitch(form, name)?.checked ? null : empty)]
  })
  const settledValues = settled<Record<string, unknown>>(taskFields, Object.fromEntries(entries))
  // Without a date, settling adds fields that have no control.
  return Object.fromEntries(names.map((name) => [name, settledValues[name]])) as FormValues
}

/** The values of the form. If one is invalid, the form says so. */
export function validValuesOf(form: HTMLFormElement | null) {
  if (form?.reportValidity()) return taskValuesOf(form)
}

type TaskFormProps = {
  ref: RefObject<HTMLFormElement | null>
  task?: Task
  /** Whether a new task begins without a date. */
  isUndated?: boolean
  refusal: ProblemError | undefined
  notice: ReactNode
  /** Elements that come when saving has failed, each shown below the field of its `data-field`. */
  below?: ReactNode
  action: string
  /** A button beside Cancel and the action. */
  other?: ReactNode
  onInput: () => void
  onSubmit: (values: FormValues) => Promise<unknown>
  onCancel: () => void
  /** Called when a link to another place is followed. */
  onLeave: () => void
}

/** The fields of a task. The browser checks the required ones (specification section 5). */
export function TaskForm({
  ref,
  task,
  isUndated: isUndatedAtFirst = task?.dueDate === null,
  refusal,
  notice,
  below,
  action,
  other,
  onInput,
  onSubmit,
  onCancel,
  onLeave,
}: TaskFormProps) {
  /** The words of a stored title were decided upon when it was typed. */
  const [typed, setTyped] = useState<Record<FieldName, string>>()
  const [isUsed, setUsed] = useState(false)
  const loaded = useLoaded(rest, isUsed)
  const tools = isUsed ? loaded : undefined
  const [body, setBody] = useState(task?.body ?? '')
  const [isUndated, setUndated] = useState(isUndatedAtFirst)
  const stored = chosenOf(task ?? {})
  const [chosen, setChosen] = useState(stored)
  function look() {
    if (!ref.current) return
    const values = valuesOf<FieldName>(ref.current)
    setTyped(values.title === task?.title ? undefined : values)
    setBody(values.body)
    setChosen(chosenOf(values))
  }
  function input() {
    onInput()
    rest.want()
    look()
  }
  const fieldOf = (name: FieldName) => (
    <Field key={name} label={taskFields[name].label} error={refusal?.reasonFor(name)}>
      {(control) => (
        <Control {...control} name={name} defaultValue={task?.[name] ?? ''} isUndated={isUndated} />
      )}
    </Field>
  )
  return (
    <Form
      ref={ref}
      className="task-form task-fields"
      onInput={input}
      onFocus={() => setUsed(true)}
      onKeyDown={(event) => tools?.continueList(event)}
      onReset={() => {
        setTyped(undefined)
        setUndated(isUndatedAtFirst)
        setBody(task?.body ?? '')
        setChosen(stored)
      }}
      // A button may have filled in fields.
      onClick={look}
      onSubmit={async () => ref.current && onSubmit(taskValuesOf(ref.current))}
    >
      {notice}
      {names.filter(isText).map(fieldOf)}
      <div className="task-choices">
        {choices.filter((name) => !isLater(name)).map(fieldOf)}
        <DueShortcuts>
          <label>
            <input
              type="checkbox"
              data-switches-off="dueDate"
              checked={isUndated}
              onChange={({ target }) => setUndated(target.checked)}
            />
            No date
          </label>
        </DueShortcuts>
        {choices.filter(isLater).map(fieldOf)}
      </div>
      {names.filter(isHidden).map((name) => (
        <input key={name} hidden name={name} defaultValue={task?.[name] ?? ''} />
      ))}
      {!isUndated && (
        <div className="field repeat-field">
          {tools && <tools.RepeatField form={ref} task={task} {...chosen} />}
        </div>
      )}
      <div className="field repeat-field">{tools && <tools.RemindersField form={ref} {...chosen} />}</div>
      {/* They come while somebody types, so Tab reaches them after the fields, below which they are shown. */}
      {typed && tools && <tools.WordsOffer form={ref} typed={typed} />}
      {tools && <tools.BodyLinks body={body} onOpen={onLeave} />}
      {below}
      <footer className="dialog-footer">
        {other}
        <Button onClick={onCancel}>Cancel</Button>
        <SubmitButton className="button button-primary">{action}</SubmitButton>
      </footer>
    </Form>
  )
}

/** The values on which the controls of repeats and reminders depend. */
const chosenOf = (values: Partial<Record<FieldName, string | null>>) => ({
  due: values.dueDate ?? '',
  time: values.dueTime ?? '',
  repeat: values.repeat ?? '',
  from: values.repeatFrom === 'done' ? ('done' as const) : ('due' as const),
  reminders: values.reminders ?? '',
})

function Control({
  name,
  isUndated,
  ...props
}: ComponentProps<'input'> & { name: FieldName; isUndated: boolean }) {
  const { type, isLong, ...field }: Declared = taskFields[name]
  const control = { ...props, name, required: !isOptional({ type, ...field }) } as object
  if (type === 'time') return <input {...control} type="time" disabled={isUndated} />
  if (type === 'day') return <input {...control} type="date" disabled={isUndated} />
  if (type === 'rank')
    return (
      <select {...control}>
        <option value="">Select</option>
        {priorities.map((priority) => (
          <option key={priority} value={priority}>
            {capitalized(priority)}
          </option>
        ))}
      </select>
    )
  return (
    <TagCompletion>
      {isLong ? <textarea {...control} rows={4} dir="auto" /> : <input {...control} dir="auto" />}
    </TagCompletion>
  )
}

export const capitalized = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())
