import type { Repeat } from '#contract/repeats.ts'
import type { Priority } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { complete } from './complete.ts'
import { verb } from './verb.ts'

const dueAsBefore = ['{items} is due as before', '{items} are due as before'] as const
const notChanged = 'This task was not changed.'

/** Of a task that has no date any more, the day to which it was moved. */
export const someday = 'someday'

/** Moves a task to another day. With null, it has no date any more. Without a time, it keeps its own. */
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

/** Skips this occurrence of a repeated task, which goes to another day of its grid. If it was deleted, it comes back. */
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

/** Lets a task repeat no longer. It stays open. */
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

/** Gives a task another priority. */
export const prioritise = verb('prioritise', changePriority, {
  done: 'Changed {items} to {to}',
  undone: ['{items} has its earlier priority again', '{items} have their earlier priorities again'],
  failed: notChanged,
})

function changePriority({ _id: item, version: base }: Task, priority: Priority) {
  return { to: priority, item, base, set: { priority } }
}
