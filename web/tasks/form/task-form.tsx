import { type ComponentProps, type ReactNode, useState } from 'react'
import { type Field as Declared, isOptional } from '#contract/fields.ts'
import { priorities } from '#contract/lists.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { ProblemError } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { loadTogether, useChunk } from '../../ui/use-chunk.ts'
import { useDateWords } from '../words/use-date-words.ts'
import { DueShortcuts } from './due-shortcuts.tsx'
import { type FieldName, type FormValues, names } from './form-values.ts'
import { TagCompletion } from './tag-completion.tsx'
import type { Filled, TaskFormState } from './use-task-form.ts'
import './task-form.css'

const loadTools = () =>
  loadTogether(
    import('./body-links.tsx'),
    import('./continued-list.ts'),
    import('./reminders-field.tsx'),
    import('./repeat-field.tsx'),
    import('./words-offer.tsx'),
  )

/** The fields that other controls than one of their own fill in. */
const isHidden = (name: FieldName) => name === 'repeat' || name === 'repeatFrom' || name === 'reminders'
const isText = (name: FieldName) => taskFields[name].type === 'text'
const choices = names.filter((name) => !isText(name) && !isHidden(name))
const isLater = (name: FieldName) => isOptional(taskFields[name])

type TaskFormProps = {
  form: TaskFormState
  refusal: ProblemError | undefined
  notice: ReactNode
  /** Elements that come when saving has failed, each shown below the field of its `data-field`. */
  below?: ReactNode
  action: string
  other?: ReactNode
  onType: () => void
  onSubmit: (values: FormValues) => Promise<unknown>
  onCancel: () => void
  /** Called when a link to another place is followed. */
  onLeave: () => void
}

/** The fields of a task. The browser checks the required ones (specification section 5). */
export function TaskForm({ form, onType, ...props }: TaskFormProps) {
  const { findDates, load } = useDateWords()
  const [isUsed, setUsed] = useState(false)
  const [loaded] = useChunk(loadTools, isUsed)
  const tools = typeof loaded === 'object' ? loaded : undefined
  const { task, shown } = form
  const { title, body, repeat, reminders, isUndated } = shown
  const due = isUndated ? '' : shown.dueDate
  const time = isUndated ? '' : shown.dueTime
  // The words of a stored title were decided upon when it was typed.
  const isNewTitle = title !== (task?.title ?? '')
  const from = shown.repeatFrom === 'done' ? 'done' : 'due'
  function type(values: Filled) {
    form.fill(values)
    onType()
    load()
  }
  const fieldOf = (name: FieldName) => {
    const field: Declared = taskFields[name]
    const value = shown[name]
    return (
      <Field key={name} label={taskFields[name].label} error={props.refusal?.reasonFor(name)} value={value}>
        {(control) => (
          <Control
            {...{ ...control, name, value, field }}
            required={!isOptional(field)}
            disabled={isUndated && (name === 'dueDate' || field.needs === 'dueDate')}
            onInput={({ currentTarget }) => type({ [name]: currentTarget.value })}
          />
        )}
      </Field>
    )
  }
  return (
    <Form
      ref={form.ref}
      className="task-form stack airy task-fields"
      onFocus={() => setUsed(true)}
      onKeyDown={(event) => tools?.continueList(event)}
      onSubmit={() => props.onSubmit(form.values())}
    >
      {props.notice}
      {names.filter(isText).map(fieldOf)}
      <div className="task-choices">
        {choices.filter((name) => !isLater(name)).map(fieldOf)}
        <DueShortcuts onChoose={type}>
          <label>
            <input
              type="checkbox"
              name="isUndated"
              checked={isUndated}
              onChange={({ target }) => type({ isUndated: target.checked })}
            />
            No date
          </label>
        </DueShortcuts>
        {choices.filter(isLater).map(fieldOf)}
      </div>
      {!isUndated && (
        <div className="field repeat-field">
          {tools && <tools.RepeatField {...{ due, repeat, from, task }} onChoose={type} />}
        </div>
      )}
      <div className="field repeat-field">
        {tools && <tools.RemindersField {...{ due, time, reminders }} onChoose={type} />}
      </div>
      {/* They come while somebody types, so Tab reaches them after the fields, below which they are shown. */}
      {isNewTitle && tools && <tools.WordsOffer title={title} findDates={findDates} onUse={type} />}
      {tools && <tools.BodyLinks body={body} onOpen={props.onLeave} />}
      {props.below}
      <footer className="dialog-footer wraps">
        {props.other}
        <Button onClick={props.onCancel}>Cancel</Button>
        <SubmitButton className="button button-primary">{props.action}</SubmitButton>
      </footer>
    </Form>
  )
}

function Control({ field: { type, isLong }, ...props }: ComponentProps<'input'> & { field: Declared }) {
  const control = props as object
  if (type === 'time') return <input {...control} type="time" />
  if (type === 'day') return <input {...control} type="date" />
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
