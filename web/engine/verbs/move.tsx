import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const moved: Sentences = {
  done: (items, day) =>
    day ? (
      <>
        Moved {items} to {day}
      </>
    ) : (
      <>Moved {items}</>
    ),
  undone: (item) => <>{item} is due as before</>,
  allUndone: (items) => `${items} are due as before`,
  failed: 'This task was not moved.',
  places: true,
}

/** Of a task that has no date any more, the day to which it was moved. */
export const someday = 'someday'

/** Moves a task to another day. With null, it has no date any more. Without a time, it keeps its own. */
export const move = (
  { _id: item, version: base }: Task,
  dueDate: string | null,
  dueTime?: string | null,
): NewChange => ({
  verb: 'move',
  to: dueDate ?? someday,
  item,
  base,
  set: { dueDate, ...(dueTime !== undefined && { dueTime }) },
})
