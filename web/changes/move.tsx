import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../store/pending-change.ts'
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

/** Moves a task to another day. */
export const move = ({ _id: item, version: base }: Task, dueDate: string): NewChange => ({
  verb: 'move',
  to: dueDate,
  item,
  base,
  set: { dueDate },
})
