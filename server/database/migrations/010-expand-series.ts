import type { Index } from '../indexes.ts'

/** The tasks of a repeat, by their days. */
export const indexes: readonly Index[] = [
  {
    name: 'tasks_of_series',
    table: 'tasks',
    columns: ['user_id', 'series', 'repeat_day', 'id'],
    where: 'series is not null',
  },
]
