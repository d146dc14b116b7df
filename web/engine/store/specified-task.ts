import { type Field, timeOfDay } from '#contract/fields.ts'
import { priorities } from '#contract/lists.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { freshTask } from '../entry.ts'

/** A task as an answer contains it. The specification (section 3) names some of its fields, and a field may have any value. */
export type SpecifiedTask = { [Name in keyof Task]?: unknown }

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** A time as text. A time in milliseconds is converted. */
function instant(value: unknown): string | undefined {
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
  const time = new Date(typeof value === 'number' ? value : Number.NaN)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

const orNull =
  (read: (value: unknown) => unknown) =>
  (value: unknown): unknown =>
    value === null ? null : read(value)

/** How the page reads the values of each type of field; undefined for a value that is none of the type. */
const ofType: Record<Field['type'], (value: unknown) => unknown> = {
  text,
  plain: orNull(text),
  rank: text,
  // A due date with a time becomes its day, regardless of the zone.
  day: orNull((value) => instant(value)?.slice(0, 10)),
  time: orNull((value) => (timeOfDay.test(text(value) ?? '') ? value : undefined)),
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  instant: orNull(instant),
}

const readers = {
  ...Object.fromEntries(Object.entries(taskFields).map(([name, { type }]) => [name, ofType[type]])),
  // The card says only one of the two.
  repeatFrom: (value: unknown) => (value === 'due' || value === 'done' ? value : undefined),
  _id: text,
  createdAt: instant,
  version: (value: unknown) => (typeof value === 'number' ? value : undefined),
}

/** The values of a task of which nothing is known. The page shows what there is. */
const blankTask = { ...freshTask, _id: '', title: '', dueDate: '', priority: '', createdAt: '' }

/** The task with all fields. A field that the answer lacks has the `known` value, or else a blank one. */
export function completeTask(task: SpecifiedTask, known: Partial<Task> = {}): Task {
  const values = Object.entries(readers).flatMap(([name, read]) => {
    const value = read(task[name as keyof Task])
    return value === undefined ? [] : [[name, value]]
  })
  return { ...blankTask, ...known, ...Object.fromEntries(values) }
}

/**
 * The tasks in the answer of a list. A task of a priority's list has that priority, if it names none that has a list.
 * One in a list of days has a date, perhaps an unknown one.
 */
export function listedTasks(lists: readonly unknown[], list: string): Task[] {
  const priority = priorities.find((name) => name === list)
  const hasDays = list === 'today' || list === 'upcoming'
  const isKnown = (task: Task) => priorities.includes(task.priority)
  return lists
    .filter((task): task is SpecifiedTask => typeof task === 'object' && task !== null)
    .map((task) => completeTask(task))
    .map((task) => (priority && !isKnown(task) ? { ...task, priority } : task))
    .map((task) => (hasDays && task.dueDate === null ? { ...task, dueDate: '' } : task))
}
