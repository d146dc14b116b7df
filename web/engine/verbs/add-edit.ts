import type { CheckLine } from '#contract/check-lines.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import { differences, type ItemSet, type LinkedLine } from '../entry.ts'
import { type Told, verb } from './verb.ts'

const added: Told = {
  done: 'Added {items}',
  doneTo: 'Added {items} for {to}',
  undone: ['{items} was removed', '{items} were removed'],
  failed: 'This task was not added.',
  places: true,
}

/** Adds a task with this id. */
export const add = verb('add', (item: string, set: ItemSet) => ({ item, set }), added)

/** Adds the task with this id that a line of a note became. */
export const link = verb(
  'link',
  (item: string, set: ItemSet, line: LinkedLine) => ({ item, set, line }),
  added,
)

const edited: Told = {
  done: 'Changed {items}',
  undone: ['{items} is as it was', '{items} are as they were'],
  failed: 'This task was not changed.',
}

const toasts = {
  done: 'Task updated successfully!',
  failed: 'Failed to update task. Please try again.',
  explains: true,
} as const

/** Gives a task the values that were typed over this version of it. */
export const edit = verb('edit', editOver, { ...edited, toasts })

function editOver(base: Task, values: TaskValues) {
  const { _id: item, version, title } = base
  return { item, title, base: version, set: differences({ ...base, ...values }, base) }
}

/** Ticks a line of a task's body, or unticks it, also if other lines were changed meanwhile. */
export const tick = verb('tick', tickLine, { ...edited, failed: 'This line was not changed.' })

function tickLine({ _id: item }: Task, line: CheckLine, checked: boolean) {
  return { item, check: { ...line, checked } }
}
