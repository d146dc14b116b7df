import type { CheckLine } from '#contract/check-lines.ts'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import { differences, type ItemSet } from '../items.ts'
import { verb } from './verb.ts'

const added = {
  said: {
    done: 'Added {items}',
    doneTo: 'Added {items} for {to}',
    undone: ['{items} was removed', '{items} were removed'],
    failed: 'This task was not added.',
  },
  places: true,
} as const

/** Adds a task with this id. */
export const add = verb('add', added, (item: string, set: ItemSet) => ({ item, set }))

/** A line of a note that became a task: its number in the note, and its text without and with the link to the task. */
export type LinkedLine = { note: string; number: number; plain: string; linked: string }

/** Adds the task with this id that a line of a note became. */
export const link = verb('link', added, (item: string, set: ItemSet, line: LinkedLine) => ({
  item,
  set,
  line,
}))

const edited = {
  done: 'Changed {items}',
  undone: ['{items} is as it was', '{items} are as they were'],
  failed: 'This task was not changed.',
} as const

/** Gives a task the values that were typed over this version of it. */
export const edit = verb(
  'edit',
  {
    said: {
      ...edited,
      toasts: {
        done: 'Task updated successfully!',
        failed: 'Failed to update task. Please try again.',
        explains: true,
      },
    },
  },
  (base: Task, values: TaskDraft) => {
    const { _id: item, version, title } = base
    return { item, title, base: version, set: differences({ ...base, ...values }, base) }
  },
)

/** Ticks a line of a task's body, or unticks it, also if other lines were changed meanwhile. */
export const tick = verb(
  'tick',
  { said: { ...edited, failed: 'This line was not changed.' } },
  ({ _id: item }: Task, line: CheckLine, checked: boolean) => ({ item, check: { ...line, checked } }),
)
