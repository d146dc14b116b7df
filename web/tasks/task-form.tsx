import type { ReactNode, Ref } from 'react'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import type { ProblemError } from '../api/client.ts'
import { Field } from '../ui/field.tsx'

type TaskFormProps = {
  ref: Ref<HTMLFormElement>
  task?: Task | undefined
  refusal: ProblemError | undefined
  notice: ReactNode
  action: string
  busy: boolean
  onSubmit: () => void
  onCancel: () => void
}

/** The fields of a task; what is required is left to the browser (specification section 5). */
export function TaskForm({ ref, task, refusal, notice, action, busy, onSubmit, onCancel }: TaskFormProps) {
  return (
    <form
      ref={ref}
      className="task-form"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
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
        <button type="submit" className="button button-primary" aria-busy={busy}>
          {action}
        </button>
      </footer>
    </form>
  )
}

const fields = ['title', 'body', 'dueDate', 'priority'] as const

export function draftIn(form: HTMLFormElement): TaskDraft {
  return Object.fromEntries(fields.map((name) => [name, control(form, name).value])) as TaskDraft
}

export function fillIn(form: HTMLFormElement, draft: TaskDraft): void {
  for (const name of fields) control(form, name).value = draft[name] ?? ''
}

export const isDraft = (form: HTMLFormElement, draft: TaskDraft): boolean =>
  fields.every((name) => control(form, name).value === draft[name])

const control = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as HTMLInputElement
