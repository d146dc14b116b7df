import type { Task } from '#contract/tasks.ts'
import { verb } from './verb.ts'

type Named = Pick<Task, '_id'>

export const complete = verb('complete', ({ _id: item }: Named) => ({ item, set: { done: true } }), {
  isPossible: ({ doneAt }: Task) => doneAt === null,
  done: 'Completed {items}',
  undone: ['{items} is open again', '{items} are open again'],
  last: 'Completed {items}. That was the last one',
  failed: 'This task was not completed.',
  leaves: true,
})

export const reopen = verb('reopen', ({ _id: item }: Named) => ({ item, set: { done: false } }), {
  isPossible: ({ doneAt }: Task) => doneAt !== null,
  done: 'Reopened {items}',
  undone: ['{items} is done again', '{items} are done again'],
  failed: 'This task was not reopened.',
  leaves: true,
})

/** The title is sent with a change of a note, because the server may no longer know the note. */
export const ofNote = (title: string) => ({ kind: 'note' as const, title })

const deleting =
  (deleted: boolean) =>
  ({ _id: item }: Named, note?: ReturnType<typeof ofNote>) => ({ item, ...note, set: { deleted } })

export const remove = verb('delete', deleting(true), {
  done: 'Deleted {items}',
  undone: ['{items} is back', '{items} are back'],
  failed: 'This task was not deleted.',
  toasts: { done: 'Task deleted successfully', failed: 'Failed to delete task' },
  leaves: true,
})

export const restore = verb('restore', deleting(false), {
  done: 'Restored {items}',
  undone: ['{items} is deleted again', '{items} are deleted again'],
  failed: 'This task was not restored.',
  leaves: true,
})
