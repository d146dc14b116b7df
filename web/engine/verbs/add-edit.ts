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

export const add = verb('add', (item: string, set: ItemSet) => ({ item, set }), added)

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

export const edit = verb(
  'edit',
  (base: Task, values: TaskValues) => {
    const { _id: item, version, title } = base
    return { item, title, base: version, set: differences({ ...base, ...values }, base) }
  },
  { ...edited, toasts },
)

/** Ticks or unticks a line of a task's body, also if other lines were changed meanwhile. */
export const tick = verb(
  'tick',
  ({ _id: item }: Task, line: CheckLine, checked: boolean) => ({ item, check: { ...line, checked } }),
  { ...edited, failed: 'This line was not changed.' },
)
