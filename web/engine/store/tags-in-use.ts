import { fold } from '#contract/folding.ts'
import type { Found, FoundNote } from '#contract/search.ts'
import { foldedTagsIn, tagsIn } from '#contract/tags.ts'
import { createListeners } from '../../api/listeners.ts'
import type { Item } from '../entry.ts'
import { isNote, isTask, textsOf } from './item-rules.ts'
import type { Store } from './store.ts'

/** The tags of an item that is not deleted, whether it is a note or an open task, and the id of a note. */
type Tagged = { tags: string[]; isOpen: boolean; note: string | undefined }

/** The items that have a tag, how many have each spelling of it, how many of these are notes or open tasks, and the notes. */
type Uses = {
  ids: Set<string>
  spellings: Map<string, number>
  open: number
  notes: Set<string>
  /** A copy of the notes, until one of them changes. */
  shown: ReadonlySet<string> | undefined
}

export type Tags = ReturnType<typeof createTags>

const none: ReadonlySet<string> = new Set()

const unused = (): Uses => ({
  ...{ ids: new Set(), spellings: new Map() },
  ...{ open: 0, notes: new Set(), shown: undefined },
})

/** The tags of the store's tasks and notes, kept up to date with each change of an item. */
export function createTags(store: Pick<Store, 'subscribe' | 'task' | 'note' | 'tasks' | 'notes' | 'text'>) {
  const tagged = new Map<string, Tagged>()
  const uses = new Map<string, Uses>()
  const { tell, subscribe } = createListeners()
  let used: readonly string[] = []

  function count(id: string, { tags, isOpen, note }: Tagged, by: 1 | -1) {
    for (const tag of tags) {
      const key = fold(tag)
      const use = uses.get(key) ?? unused()
      const { ids, spellings, notes } = use
      const left = (spellings.get(tag) ?? 0) + by
      if (left > 0) spellings.set(tag, left)
      else spellings.delete(tag)
      if (by > 0) ids.add(id)
      else ids.delete(id)
      if (note !== undefined) {
        if (by > 0) notes.add(note)
        else notes.delete(note)
        use.shown = undefined
      }
      if (isOpen) use.open += by
      if (spellings.size === 0) uses.delete(key)
      else uses.set(key, use)
    }
  }

  /** Returns whether the tags of the item have changed. */
  function update(id: string, item: Item | undefined): boolean {
    const before = tagged.get(id)
    const after = item && item.deletedAt === null ? taggedIn(item) : undefined
    if (!before && !after) return false
    if (before) count(id, before, -1)
    if (after) {
      count(id, after, 1)
      tagged.set(id, after)
    } else tagged.delete(id)
    return true
  }

  function taggedIn(item: Item): Tagged | undefined {
    const tags = textsOf(store, item).flatMap((text) => tagsIn(text ?? '').map((tag) => tag.text))
    const note = isNote(item) ? item._id : undefined
    if (tags.length > 0) return { tags, isOpen: !isTask(item) || item.doneAt === null, note }
  }

  const known = (): { tag: string; all: number; open: number; notes: number }[] =>
    [...uses.values()].map(({ spellings, open, notes }) => ({
      tag: mostWritten(spellings),
      all: [...spellings.values()].reduce((sum, number) => sum + number, 0),
      open,
      notes: notes.size,
    }))

  function follow() {
    const next = known()
      .filter(({ open }) => open > 0)
      .sort((one, other) => other.open - one.open || one.tag.localeCompare(other.tag))
      .map(({ tag }) => tag)
    if (next.length === used.length && next.every((tag, index) => tag === used[index])) return
    used = next
    tell()
  }

  for (const item of [...store.tasks(), ...store.notes(false)]) update(item._id, item)
  follow()
  store.subscribe((ids) => {
    let isChanged = false
    for (const id of ids) isChanged = update(id, store.task(id) ?? store.note(id)) || isChanged
    if (isChanged) follow()
  })

  return {
    /** The tags of all items, most used first, each as it is written most often. */
    all: (): string[] =>
      known()
        .sort((one, other) => other.all - one.all || one.tag.localeCompare(other.tag))
        .map(({ tag }) => tag),
    /** A tag as it is written most often, and the ids of the tasks and notes that have it. */
    of(tag: string): { tag: string; ids: ReadonlySet<string> } {
      const use = uses.get(fold(tag))
      return use ? { tag: mostWritten(use.spellings), ids: use.ids } : { tag, ids: none }
    },
    /** Those of notes and open tasks, most used first. The array is the same until one of them changes. */
    used: () => used,
    /** Those of notes, by name. */
    ofNotes: (): string[] =>
      known()
        .flatMap(({ tag, notes }) => (notes > 0 ? [tag] : []))
        .sort((one, other) => one.localeCompare(other)),
    /** The ids of the notes with a tag. The set is the same until one of these notes changes. */
    notesWith(tag: string): ReadonlySet<string> {
      const use = uses.get(fold(tag))
      if (!use) return none
      use.shown ??= new Set(use.notes)
      return use.shown
    },
    subscribe,
  }
}

/** The notes of a search for a tag that have it. If few are found, the search adds those with similar words. */
export const notesWithTag = (
  { notes, similar }: Pick<Found, 'notes' | 'similar'>,
  tag: string,
): FoundNote[] =>
  notes.filter(
    ({ title, excerpt }) => similar.length === 0 || foldedTagsIn([title, excerpt]).includes(fold(tag)),
  )

function mostWritten(spellings: ReadonlyMap<string, number>): string {
  const [[tag] = ['']] = [...spellings].sort(([, one], [, other]) => other - one)
  return tag
}
