import { compareInList, isListed, type ListName, lists } from '#contract/lists.ts'
import type { NoteSummary } from '#contract/notes.ts'
import type { NoteOrder } from '#contract/settings.ts'
import type { Task } from '#contract/tasks.ts'
import type { Item, StoredNote, StoredTask } from '../items.ts'
import type { Rule } from './sorted-view.ts'

export const isTask = (item: Item): item is StoredTask => item.kind === 'task'
export const isNote = (item: Item): item is StoredNote => item.kind === 'note'

/** Whether a task is due before a day. Without a date, it is not. */
export const isDueBefore = ({ dueDate }: Pick<Task, 'dueDate'>, day: string): boolean =>
  dueDate !== null && dueDate < day

export const taskRule = (list: ListName, today: string): Rule<StoredTask> => ({
  has: (item: Item) => isTask(item) && isListed(lists[list], item, today),
  compare: (one, other) => compareInList(lists[list], one, other),
})

/** The open tasks that repeat, soonest first. */
export const repeatRule: Rule<StoredTask> = {
  has: (item: Item) =>
    isTask(item) && item.repeat !== null && item.doneAt === null && item.deletedAt === null,
  compare: (one, other) => compareInList(lists.upcoming, one, other),
}

export const noteRule = (deleted: boolean): Rule<StoredNote> => ({
  has: (item: Item) => isNote(item) && (item.deletedAt !== null) === deleted,
  compare: deleted ? compareDeletedNotes : compareNotes,
})

/** The notes in an order that the reader has chosen: pinned ones first, and by title those without one last. */
export function orderedNoteRule(order: NoteOrder, locale: string): Rule<StoredNote> {
  const { compare } = new Intl.Collator(locale, { numeric: true, ignorePunctuation: true })
  const orders: Record<NoteOrder, (one: StoredNote, other: StoredNote) => number> = {
    changed: compareNotes,
    created: (one, other) => newestFirst(one.createdAt, other.createdAt),
    title: (one, other) =>
      Number(one.title === '') - Number(other.title === '') || compare(one.title, other.title),
  }
  return {
    ...noteRule(false),
    compare: (one, other) =>
      Number(other.pinned) - Number(one.pinned) || orders[order](one, other) || compareNotes(one, other),
  }
}

const newestFirst = (one: string, other: string) => (one > other ? -1 : Number(one < other))

/** The order of the server: pinned first, then the newest text. */
export const compareNotes = (one: NoteSummary, other: NoteSummary) =>
  Number(other.pinned) - Number(one.pinned) ||
  newestFirst(one.changedAt, other.changedAt) ||
  newestFirst(one._id, other._id)

const compareDeletedNotes = (one: StoredNote, other: StoredNote) =>
  newestFirst(one.deletedAt ?? '', other.deletedAt ?? '') || newestFirst(one._id, other._id)
