import type { Subject } from './subject.ts'

/** The rule by which a task repeats, and what belongs to it. `repeat_from` is 1 for `due`. */
export const repeats: Subject = {
  former: '007-expand-repeats',
  columns: () => ({
    tasks: [
      ['repeat', 'text'],
      ['repeat_from', 'integer', (column) => column.notNull().defaultTo(1)],
      ['repeat_day', 'text'],
      ['series', 'text'],
    ],
  }),
  indexes: [
    // The tasks of a repeat, by their days.
    {
      name: 'tasks_of_series',
      table: 'tasks',
      columns: ['user_id', 'series', 'repeat_day', 'id'],
      where: 'series is not null',
    },
  ],
}
