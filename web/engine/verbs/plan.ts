import type { Repeat } from '#contract/repeats.ts'
import type { Priority } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { complete } from './complete.ts'
import { verb } from './verb.ts'

const dueAsBefore = ['{items} is due as before', '{items} are due as before'] as const
const notChanged = 'This task was not changed.'

/** `to` of a task that lost its date. */
export const someday = 'someday'

/** Moves a task to another day, or with null to none. Without `dueTime`, it keeps its time. */
export const move = verb('move', moveTo, {
  isPossible: complete.isPossible,
  done: 'Moved {items}',
  doneTo: 'Moved {items} to {to}',
  undone: dueAsBefore,
  failed: 'This task was not moved.',
  places: true,
})

function moveTo({ _id: item, version: base }: Task, dueDate: string | null, dueTime?: string | null) {
  const set = { dueDate, ...(dueTime !== undefined && { dueTime }) }
  return { to: dueDate ?? someday, item, base, set }
}

const repeats = (task: Task) => task.repeat !== null && complete.isPossible(task)

/** Moves a repeated task to another day of its grid. A deleted task comes back. */
export const skip = verb('skip', skipTo, {
  isPossible: repeats,
  done: 'Skipped {items}',
  doneTo: 'Skipped {items} to {to}',
  undone: dueAsBefore,
  failed: 'This task was not skipped.',
  places: true,
})

type Occurrence = Pick<Repeat, 'dueDate' | 'repeatDay'>

function skipTo({ _id: item, version: base, deletedAt }: Task, { dueDate, repeatDay }: Occurrence) {
  const set = { dueDate, repeatDay, ...(deletedAt !== null && { deleted: false }) }
  return { to: dueDate ?? '', item, base, set }
}

export const stop = verb(
  'stop',
  ({ _id: item, version: base }: Task) => ({ item, base, set: { repeat: null } }),
  {
    isPossible: repeats,
    done: 'Stopped repeating {items}',
    undone: ['{items} is repeated again', '{items} are repeated again'],
    failed: notChanged,
  },
)

export const prioritise = verb('prioritise', changePriority, {
  done: 'Changed {items} to {to}',
  undone: ['{items} has its earlier priority again', '{items} have their earlier priorities again'],
  failed: notChanged,
})

function changePriority({ _id: item, version: base }: Task, priority: Priority) {
  return { to: priority, item, base, set: { priority } }
}
