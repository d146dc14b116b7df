import { useRef, useState } from 'react'
import type { Field } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { asInForm, type FieldName, type FormValues, names } from './form-values.ts'

type Shown = Record<FieldName, string> & { isUndated: boolean }

/** A due date of null is "No date". */
export type Filled = Partial<Record<FieldName, string | null>> & { isUndated?: boolean }

export type TaskFormState = ReturnType<typeof useTaskForm>

export const emptyForm = (isUndated: boolean) =>
  ({ ...Object.fromEntries(names.map((name) => [name, ''])), isUndated }) as Shown

function formOf(task: Task): Shown {
  const texts = names.map((name) => [name, asInForm(task[name])])
  return { ...Object.fromEntries(texts), isUndated: task.dueDate === null }
}

/** An empty field has its default, and without a date, those that need one have none. */
function valuesOf(shown: Shown): FormValues {
  const entries = names.map((name) => {
    const { default: empty = '', needs = name }: Field = taskFields[name]
    return [name, needs === 'dueDate' && shown.isUndated ? null : shown[name] || empty]
  })
  return Object.fromEntries(entries)
}

/** Its functions read what the form shows now, also for a caller that has awaited an answer. */
export function useTaskForm(task?: Task) {
  const ref = useRef<HTMLFormElement>(null)
  const [shown, setShown] = useState(() => (task ? formOf(task) : emptyForm(false)))
  const latest = useRef(shown)
  const values = () => valuesOf(latest.current)

  function fill({ isUndated, ...filled }: Filled) {
    const texts = Object.entries(filled).map(([name, text]) => [name, asInForm(text)])
    const hasNoDate = filled.dueDate === undefined ? latest.current.isUndated : filled.dueDate === null
    latest.current = { ...latest.current, ...Object.fromEntries(texts), isUndated: isUndated ?? hasNoDate }
    setShown(latest.current)
  }

  const validValues = () => (ref.current?.reportValidity() ? values() : undefined)

  return { task, ref, shown, fill, values, validValues }
}
