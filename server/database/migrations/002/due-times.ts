import type { Subject } from './subject.ts'

const open = 'done_at is null and deleted_at is null'

/**
 * Adds the time of day, by which lists are sorted within a day. A task without a day has '9999-12-31', which servers of the
 * previous version show as that day, and a task without a time has '24:00'.
 */
export const dueTimes: Subject = {
  former: '006-expand-due-times',
  async tables(db) {
    for (const name of ['tasks_by_day', 'tasks_by_priority']) await db.schema.dropIndex(name).execute()
  },
  columns: () => ({ tasks: [['due_time', 'text', (column) => column.notNull().defaultTo('24:00')]] }),
  indexes: [
    {
      name: 'tasks_by_day_and_time',
      table: 'tasks',
      columns: ['user_id', 'due_date', 'due_time', 'priority', 'id'],
      where: open,
    },
    {
      name: 'tasks_by_priority_and_time',
      table: 'tasks',
      columns: ['user_id', 'priority', 'due_date', 'due_time', 'id'],
      where: open,
    },
    {
      name: 'tasks_by_creation_without_day',
      table: 'tasks',
      columns: ['user_id', 'created_at', 'id'],
      where: `${open} and due_date = '9999-12-31'`,
    },
  ],
}
