import type { Migration } from '../migrate.ts'
import { addColumns } from '../new-columns.ts'

const open = 'done_at is null and deleted_at is null'

/** Adds the place of a task in the file of its import, by which lists are sorted within a day, time and priority. */
export const up: Migration['up'] = async (db, types) => {
  // A build between 0.1.0 and this version has made them.
  for (const name of ['tasks_by_day_and_time', 'tasks_by_priority_and_time'])
    await db.schema.dropIndex(name).ifExists().execute()
  await addColumns(db, types, 'tasks', [
    ['place_in_file', 'integer', (column) => column.notNull().defaultTo(0)],
  ])
}

export const indexes: Migration['indexes'] = [
  {
    name: 'tasks_by_day_and_place',
    table: 'tasks',
    columns: ['user_id', 'due_date', 'due_time', 'priority', 'place_in_file', 'id'],
    where: open,
  },
  {
    name: 'tasks_by_priority_and_place',
    table: 'tasks',
    columns: ['user_id', 'priority', 'due_date', 'due_time', 'place_in_file', 'id'],
    where: open,
  },
]
