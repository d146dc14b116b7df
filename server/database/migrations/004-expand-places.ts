import type { Migration } from '../migrate.ts'
import { addColumns } from '../new-columns.ts'
import { placeInFile } from './002-expand-tables.ts'

const open = 'done_at is null and deleted_at is null'

/** Brings a database of a build between 0.1.0 and this version to the columns and indexes that one of 0.1.0 has by now. */
export const up: Migration['up'] = async (db, types) => {
  for (const name of ['tasks_by_day_and_time', 'tasks_by_priority_and_time'])
    await db.schema.dropIndex(name).ifExists().execute()
  const tables = await db.introspection.getTables()
  const tasks = tables.find(({ name }) => name === 'tasks')
  if (!tasks?.columns.some(({ name }) => name === placeInFile[0]))
    await addColumns(db, types, 'tasks', [placeInFile])
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
