import type { Task } from '#contract/tasks.ts'
import type { DraftName, TaskValues } from './task-form.tsx'

export const namesIn = (values: Partial<TaskValues>) => Object.keys(values) as DraftName[]

/** A form changes all line breaks to line feeds, which is not an edit. */
const asInForm = (text: string) => text.replace(/\r\n?/g, '\n')
export const isSame = (one: string, other: string) => asInForm(one) === asInForm(other)

/** Whether any value differs from the version that was edited. */
export const isEdited = (base: Task, values: Partial<TaskValues>): boolean =>
  namesIn(values).some((name) => !isSame(values[name] ?? base[name], base[name]))

/** The typed values, those that were not edited as they are stored: the server compares them exactly. */
export const editOf = (base: Task, typed: TaskValues): TaskValues =>
  choose(typed, (name) => (isSame(typed[name], base[name]) ? base[name] : typed[name]))

export const choose = (typed: TaskValues, value: (name: DraftName) => string) =>
  Object.fromEntries(namesIn(typed).map((name) => [name, value(name)])) as TaskValues
