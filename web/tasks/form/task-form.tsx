import type { ReactNode, Ref } from 'react'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import type { ProblemError } from '../../api/client.ts'
import { Field } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { DueShortcuts } from './due-shortcuts.tsx'
import { TagCompletion } from './tag-completion.tsx'
import './task-form.css'

/** What the form holds: every field of a draft, filled in or not. */
export type TaskValues = Required<TaskDraft>

export const isEqual = (values: Record<keyof TaskValues, string>, others: TaskValues): boolean =>
  (Object.keys(others) as (keyof TaskValues)[]).every((name) => values[name] === others[name])

type TaskFormProps = {
  ref?: Ref<HTMLFormElement>
  task?: Task
  refusal: ProblemError | undefined
  notice: ReactNode
  /** What is shown below the control of a field. */
  below?: (field: keyof TaskValues) => ReactNode
  action: string
  onInput: () => void
  onSubmit: (values: TaskValues) => Promise<unknown>
  onCancel: () => void
}

/** The fields of a task; what is required is left to the browser (specification section 5). */
export function TaskForm({
  ref,
  task,
  refusal,
  notice,
  below,
  action,
  onInput,
  onSubmit,
  onCancel,
}: TaskFormProps) {
  return (
    <Form
      ref={ref}
      className="task-form"
      onInput={onInput}
      onSubmit={(values: Record<keyof TaskValues, string>) => onSubmit(values as TaskValues)}
    >
      {notice}
      <Field label="Title" error={refusal?.reasonFor('title')}>
        {(control) => (
          <>
            <TagCompletion>
              <input {...control} name="title" defaultValue={task?.title} required dir="auto" />
            </TagCompletion>
            {below?.('title')}
          </>
        )}
      </Field>
      <Field label="Body" error={refusal?.reasonFor('body')}>
        {(control) => (
          <>
            <TagCompletion>
              <textarea {...control} name="body" defaultValue={task?.body} rows={4} dir="auto" />
            </TagCompletion>
            {below?.('body')}
          </>
        )}
      </Field>
      <div className="field-pair">
        <Field label="Due Date" error={refusal?.reasonFor('dueDate')}>
          {(control) => (
            <>
              <input {...control} type="date" name="dueDate" defaultValue={task?.dueDate} required />
              <DueShortcuts />
              {below?.('dueDate')}
            </>
          )}
        </Field>
        <Field label="Priority" error={refusal?.reasonFor('priority')}>
          {(control) => (
            <>
              <select {...control} name="priority" defaultValue={task?.priority ?? ''} required>
                <option value="">Select</option>
                <option value="high">High</option>
                <option value="medium">Medium</option>
                <option value="low">Low</option>
              </select>
              {below?.('priority')}
            </>
          )}
        </Field>
      </div>
      <footer className="dialog-footer">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <SubmitButton className="button button-primary">{action}</SubmitButton>
      </footer>
    </Form>
  )
}
