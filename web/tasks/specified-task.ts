import type { Task } from '#contract/tasks.ts'

/** The values of fields that the specification (section 3) does not name, if an answer lacks them: the task is open. */
const absent = { version: 0, doneAt: null, deletedAt: null }

/** A task as an answer contains it. Versions are numbered from 1. */
export type SpecifiedTask = Omit<Task, keyof typeof absent> & Partial<Task>

/** The task with all fields. A due date with a time becomes its day, regardless of the zone. */
export const completeTask = (task: SpecifiedTask): Task => ({
  ...absent,
  ...task,
  dueDate: task.dueDate.slice(0, 10),
})
