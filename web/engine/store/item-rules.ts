import { searchedTexts } from '#contract/fields.ts'
import { compareInList, isListed, type ListName, lists } from '#contract/lists.ts'
import type { Note, NoteSummary } from '#contract/notes.ts'
import type { NoteOrder } from '#contract/settings.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import type { Item, StoredNote, StoredTask } from '../entry.ts'

export const isTask = (item: Item): item is StoredTask => item.kind === 'task'
export const isNote = (item: Item): item is StoredNote => item.kind === 'note'

/** The texts of an item that are searched and contain its tags. Of a note, the whole text if the store has it. */
export function textsOf(store: { text: (id: string) => Note | undefined }, item: Item): (string | null)[] {
  if (isTask(item)) return searchedTexts(taskFields, item)
  const text = store.text(item._id)?.text
  return text === undefined ? [item.title, item.snippet] : [text]
}

export const isDueBefore = ({ dueDate }: Pick<Task, 'dueDate'>, day: string): boolean =>
  dueDate !== null && dueDate < day

export type Rule<Item> = {
  has: (item: Item) => boolean
  /** Negative if `one` comes before `other`. No two items are equal. */
  compare: (one: Item, other: Item) => number
}

export const taskRule = (list: ListName, today: string): Rule<StoredTask> => ({
  has: (item: Item) => isTask(item) && isListed(lists[list], item, today),
  compare: (one, other) => compareInList(lists[list], one, other),
})

export const repeatRule: Rule<StoredTask> = {
  has: (item: Item) =>
    isTask(item) && item.repeat !== null && item.doneAt === null && item.deletedAt === null,
  compare: (one, other) => compareInList(lists.upcoming, one, other),
}

export const noteRule = (deleted: boolean): Rule<StoredNote> => ({
  has: (item: Item) => isNote(item) && (item.deletedAt !== null) === deleted,
  compare: deleted ? compareDeletedNotes : compareNotes,
})

/** Notes in the reader's order. Pinned notes come first, and notes without a title last when sorted by title. */
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

export const compareNotes = (one: NoteSummary, other: NoteSummary) =>
  Number(other.pinned) - Number(one.pinned) ||
  newestFirst(one.changedAt, other.changedAt) ||
  newestFirst(one._id, other._id)

const compareDeletedNotes = (one: StoredNote, other: StoredNote) =>
  newestFirst(one.deletedAt ?? '', other.deletedAt ?? '') || newestFirst(one._id, other._id)

/** An item before and after a change. Undefined: there was or is none. */
export type Replacement<Item> = { before: Item | undefined; after: Item | undefined }

/** The items of a rule in its order. Each change makes another array. */
export function createSortedView<Item extends { _id: string }>(
  all: Iterable<Item>,
  { has, compare }: Rule<Item>,
) {
  let items = [...all].filter(has).sort(compare)

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
