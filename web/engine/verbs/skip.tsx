import type { Repeat } from '#contract/repeats.ts'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const skipped: Sentences = {
  done: (items, day) =>
    day ? (
      <>
        Skipped {items} to {day}
      </>
    ) : (
      <>Skipped {items}</>
    ),
  undone: (item) => <>{item} is due as before</>,
  allUndone: (items) => `${items} are due as before`,
  failed: 'This task was not skipped.',
  places: true,
}

/** Skips this occurrence of a repeated task, which goes to another day of its grid. If it was deleted, it comes back. */
export const skip = (
  { _id: item, version: base, deletedAt }: Task,
  { dueDate, repeatDay }: Pick<Repeat, 'dueDate' | 'repeatDay'>,
): NewChange => ({
  verb: 'skip',
  to: dueDate ?? '',
  item,
  base,
  set: { dueDate, repeatDay, ...(deletedAt !== null && { deleted: false }) },
})
