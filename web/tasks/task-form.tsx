import type { ReactNode, Ref } from 'react'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import type { ProblemError } from '../api/client.ts'
import { Field } from '../ui/field.tsx'
import { Form, SubmitButton } from '../ui/form.tsx'
import './task-form.css'

/** What the form holds: every field of a draft, filled in or not. */
export type TaskValues = Required<TaskDraft>

type TaskFormProps = {
  ref?: Ref<HTMLFormElement>
  task?: Task
  refusal: ProblemError | undefined
  notice: ReactNode
  action: string
  onSubmit: (values: TaskValues) => Promise<unknown>
  onCancel: () => void
}

/** The fields of a task; what is required is left to the browser (specification section 5). */
export function TaskForm({ ref, task, refusal, notice, action, onSubmit, onCancel }: TaskFormProps) {
  return (
    <Form
      ref={ref}
      className="task-form"
      onSubmit={(values: Record<keyof TaskValues, string>) => onSubmit(values as TaskValues)}
    >
      {notice}
      <Field label="Title" error={refusal?.reasonFor('title')}>
        {(control) => <input {...control} name="title" defaultValue={task?.title} required dir="auto" />}
      </Field>
      <Field label="Body" error={refusal?.reasonFor('body')}>
        {(control) => <textarea {...control} name="body" defaultValue={task?.body} rows={4} dir="auto" />}
      </Field>
      <div className="field-pair">
        <Field label="Due Date" error={refusal?.reasonFor('dueDate')}>
          {(control) => (
            <input {...control} type="date" name="dueDate" defaultValue={task?.dueDate} required />
          )}
        </Field>
        <Field label="Priority" error={refusal?.reasonFor('priority')}>
          {(control) => (
            <select {...control} name="priority" defaultValue={task?.priority ?? ''} required>
              <option value="">Select</option>
              <option value="high">High</option>
              <option value="medium">Medium</option>
              <option value="low">Low</option>
            </select>
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
