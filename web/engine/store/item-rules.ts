import { searchedTexts } from '#contract/fields.ts'
import { compareInList, isListed, type ListName, lists } from '#contract/lists.ts'
import type { Note, NoteSummary } from '#contract/notes.ts'
import type { NoteOrder } from '#contract/settings.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import type { Item, StoredNote, StoredTask } from '../entry.ts'

export const isTask = (item: Item): item is StoredTask => item.kind === 'task'
export const isNote = (item: Item): item is StoredNote => item.kind === 'note'

/** The texts of an item that searches look in, which have its tags. Of a note its whole text, if that is held. */
export function textsOf(store: { text: (id: string) => Note | undefined }, item: Item): (string | null)[] {
  if (isTask(item)) return searchedTexts(taskFields, item)
  const text = store.text(item._id)?.text
  return text === undefined ? [item.title, item.snippet] : [text]
}

/** Whether a task is due before a day. Without a date, it is not. */
export const isDueBefore = ({ dueDate }: Pick<Task, 'dueDate'>, day: string): boolean =>
  dueDate !== null && dueDate < day

/** Which items a view contains, and in which order. */
export type Rule<Item> = {
  has: (item: Item) => boolean
  /** Negative if `one` comes before `other`. Total: no two items are equal. */
  compare: (one: Item, other: Item) => number
}

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

/** An item before and after a change. Where there was or is no item, it is undefined. */
export type Replacement<Item> = { before: Item | undefined; after: Item | undefined }

/** The items of a rule in its order, in an array that is replaced by each change of one of them. */
export function createSortedView<Item extends { _id: string }>(
  all: Iterable<Item>,
  { has, compare }: Rule<Item>,
) {
  let items = [...all].filter(has).sort(compare)

  /** The number of items that come before this one. */
  function countBefore(others: readonly Item[], item: Item): number {
    let [from, to] = [0, others.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (compare(others[middle] as Item, item) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  return {
    get items(): readonly Item[] {
      return items
    },

    change(changes: Iterable<Replacement<Item>>) {
      const leaving = new Set<string>()
      const entering: Item[] = []
      for (const { before, after } of changes) {
        if (before && has(before)) leaving.add(before._id)
        if (after && has(after)) entering.push(after)
      }
      if (leaving.size + entering.length === 0) return
      const others = leaving.size > 0 ? items.filter(({ _id }) => !leaving.has(_id)) : items
      const merged: Item[] = []
      let from = 0
      for (const item of entering.sort(compare)) {
        const to = countBefore(others, item)
        for (; from < to; from++) merged.push(others[from] as Item)
        merged.push(item)
      }
      items = merged.concat(others.slice(from))
    },
  }
}

export type SortedView<Item extends { _id: string }> = ReturnType<typeof createSortedView<Item>>
