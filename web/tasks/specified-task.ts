import type { Task } from '#contract/tasks.ts'
import { freshTask } from '../store/pending-change.ts'

/** A task as an answer contains it: perhaps without the fields that the specification (section 3) does not name. */
export type SpecifiedTask = Omit<Task, keyof typeof freshTask> & Partial<Task>

/** The task with all fields. A due date with a time becomes its day, regardless of the zone. */
export const completeTask = (task: SpecifiedTask): Task => ({
  ...freshTask,
  ...task,
  dueDate: task.dueDate.slice(0, 10),
})
