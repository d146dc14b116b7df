import type { Task } from '#contract/tasks.ts'
import type { TaskValues } from './task-form.tsx'

const fields = ['title', 'body', 'dueDate', 'priority'] as const
export type EditedField = (typeof fields)[number]

/** A form changes all line breaks to line feeds, which is not an edit. */
const asInForm = (text: string) => text.replace(/\r\n?/g, '\n')
const isSame = (one: string, other: string) => asInForm(one) === asInForm(other)

/** Whether any value differs from the version that was edited. */
export const isEdited = (base: Task, values: Partial<TaskValues>): boolean =>
  fields.some((field) => !isSame(values[field] ?? base[field], base[field]))

/** The typed values, those that were not edited as they are stored: the server compares them exactly. */
export const editOf = (base: Task, typed: TaskValues): TaskValues =>
  choose((field) => (isSame(typed[field], base[field]) ? base[field] : typed[field]))

/**
 * Merges what was typed over the version `base` with a newer version. The values are the typed ones, except in fields
 * that only others have changed. The fields in `clashes` were changed by both, differently.
 */
export function merge(base: Task, typed: TaskValues, newer: Task) {
  const isEditedHere = (field: EditedField) => !isSame(typed[field], base[field])
  const clashes = fields.filter(
    (field) =>
      isEditedHere(field) && !isSame(newer[field], base[field]) && !isSame(newer[field], typed[field]),
  )
  return { clashes, values: choose((field) => (isEditedHere(field) ? typed[field] : newer[field])) }
}

const choose = (value: (field: EditedField) => string) =>
  Object.fromEntries(fields.map((field) => [field, value(field)])) as TaskValues
