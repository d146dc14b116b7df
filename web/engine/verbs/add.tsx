import type { SpecifiedChange } from '../entry.ts'
import type { ItemSet } from '../items.ts'
import type { Sentences } from './sentences.ts'

export const added: Sentences = {
  done: (items, day) =>
    day ? (
      <>
        Added {items} for {day}
      </>
    ) : (
      <>Added {items}</>
    ),
  undone: (item) => <>{item} was removed</>,
  allUndone: (items) => `${items} were removed`,
  failed: 'This task was not added.',
  places: true,
}

/** Adds a task with this id. */
export const add = (item: string, set: ItemSet): SpecifiedChange => ({ verb: 'add', item, set })
