import type { NewChange, SpecifiedChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const deleted: Sentences = {
  done: (items) => <>Deleted {items}</>,
  undone: (item) => <>{item} is back</>,
  allUndone: (items) => `${items} are back`,
  failed: 'This task was not deleted.',
  toasts: { done: 'Task deleted successfully', failed: () => 'Failed to delete task' },
  leaves: true,
}

/** Deletes a task. It can be restored. */
export const deleteTask = ({ _id: item }: { _id: string }): SpecifiedChange => ({
  verb: 'delete',
  item,
  set: { deleted: true },
})

/** Deletes a note, which has this title. */
export const deleteNote = (item: string, title: string): NewChange => ({
  verb: 'delete',
  item,
  kind: 'note',
  title,
  set: { deleted: true },
})
