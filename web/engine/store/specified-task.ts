import { type Field, timeOfDay } from '#contract/fields.ts'
import { priorities } from '#contract/lists.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { freshTask } from '../entry.ts'

/** A task in an answer. The specification (section 3) names some of its fields, and a field may have any value. */
export type SpecifiedTask = { [Name in keyof Task]?: unknown }

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const number = (value: unknown) => (typeof value === 'number' ? value : undefined)

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

/** Readers by the type of a field. They return undefined for a value of another type. */
const ofType: Record<Field['type'], (value: unknown) => unknown> = {
  text,
  plain: orNull(text),
  number,
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
  version: number,
}

const blankTask = { ...freshTask, _id: '', title: '', dueDate: '', priority: '', createdAt: '' }

/** The task with all fields. Missing fields have the `known` value or a blank one. */
export function completeTask(task: SpecifiedTask, known: Partial<Task> = {}): Task {
  const values = Object.entries(readers).flatMap(([name, read]) => {
    const value = read(task[name as keyof Task])
    return value === undefined ? [] : [[name, value]]
  })
  return { ...blankTask, ...known, ...Object.fromEntries(values) }
}

/** The tasks of a list. An unknown priority becomes that of the list. In a list of days, a missing date is an unknown one. */
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
