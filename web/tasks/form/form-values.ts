import { labelledNames } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'

export type FormValues = Required<TaskValues>
export type FieldName = keyof FormValues

export const names = labelledNames(taskFields)
export const namesIn = (values: Partial<FormValues>) => Object.keys(values) as FieldName[]

/** A form changes all line breaks to line feeds, which is not an edit. */
export const asInForm = (text: string | null | undefined) => (text ?? '').replace(/\r\n?/g, '\n')
export const isSameText = (one: string | null, other: string | null) => asInForm(one) === asInForm(other)

export const isEqual = (values: Partial<FormValues>, others: FormValues): boolean =>
  names.every((name) => values[name] === others[name])

export const isEdited = (base: Task, values: Partial<FormValues>): boolean =>
  namesIn(values).some((name) => {
    const value = values[name]
    return value !== undefined && !isSameText(value, base[name])
  })

/** A value that was not edited is as it is stored, because the server compares it exactly. */
export const editOf = (base: Task, typed: FormValues): FormValues =>
  choose(typed, (name) => (isSameText(typed[name], base[name]) ? base[name] : typed[name]))

export const choose = (typed: FormValues, value: (name: FieldName) => string | null) =>
  Object.fromEntries(namesIn(typed).map((name) => [name, value(name)])) as FormValues
