import { tasksPerUser } from '#contract/limits.ts'
import { taskFields } from '#contract/task-fields.ts'
import { kindOf } from '../changes/item-kind.ts'
import { deriveRepeat, fittingRepeat, successor } from './repeated-tasks.ts'
import { storeReminders } from './task-reminders.ts'

export const taskKind = kindOf({
  name: 'task',
  table: 'tasks',
  fields: taskFields,
  derive: deriveRepeat,
  fitting: fittingRepeat,
  successor,
  follow: storeReminders,
  limit: { max: tasksPerUser, items: 'tasks' },
})
