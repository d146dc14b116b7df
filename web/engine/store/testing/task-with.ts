import { freshTask, type StoredTask } from '../../entry.ts'

/** A task with these values. */
export const taskWith = (values: Partial<StoredTask>): StoredTask => ({
  ...freshTask,
  _id: '01890a5d-ac96-774b-bcce-b302099a8057',
  title: 'Water the plants',
  dueDate: '2026-11-21',
  priority: 'low',
  createdAt: '2026-11-20T12:00:00.000Z',
  version: 1,
  kind: 'task',
  ...values,
})
