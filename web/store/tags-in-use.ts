import { fold } from '#contract/folding.ts'
import { tagsIn } from '#contract/tags.ts'
import { createListeners } from '../sync/listeners.ts'
import { isTask } from './item-rules.ts'
import { textsOf } from './item-texts.ts'
import type { Item } from './pending-change.ts'
import type { Store } from './store.ts'

/** The tags of an item that is not deleted, and whether it is a note or an open task. */
type Tagged = { tags: string[]; isOpen: boolean }

/** How many items have a tag in each spelling of it, and how many of these are notes or open tasks. */
type Uses = { spellings: Map<string, number>; open: number }

/** The tags of the store's tasks and notes, kept up to date with each change of an item. */
export function createTags(store: Pick<Store, 'subscribe' | 'task' | 'note' | 'tasks' | 'notes' | 'text'>) {
  const tagged = new Map<string, Tagged>()
  const uses = new Map<string, Uses>()
  const { tell, subscribe } = createListeners()
  let used: readonly string[] = []

  function count({ tags, isOpen }: Tagged, by: 1 | -1) {
    for (const tag of tags) {
      const key = fold(tag)
      const { spellings, open } = uses.get(key) ?? { spellings: new Map<string, number>(), open: 0 }
      const left = (spellings.get(tag) ?? 0) + by
      if (left > 0) spellings.set(tag, left)
      else spellings.delete(tag)
      if (spellings.size === 0) uses.delete(key)
      else uses.set(key, { spellings, open: open + (isOpen ? by : 0) })
    }
  }

  /** Returns whether the tags of the item have changed. */
  function update(id: string, item: Item | undefined): boolean {
    const before = tagged.get(id)
    const after = item && item.deletedAt === null ? taggedIn(item) : undefined
    if (!before && !after) return false
    if (before) count(before, -1)
    if (after) {
      count(after, 1)
      tagged.set(id, after)
    } else tagged.delete(id)
    return true
  }

  function taggedIn(item: Item): Tagged | undefined {
    const tags = textsOf(store, item).flatMap((text) => tagsIn(text ?? '').map((tag) => tag.text))
    if (tags.length > 0) return { tags, isOpen: !isTask(item) || item.doneAt === null }
  }

  const known = (): { tag: string; all: number; open: number }[] =>
    [...uses.values()].map(({ spellings, open }) => {
      const [[tag] = ['']] = [...spellings].sort(([, one], [, other]) => other - one)
      return { tag, all: [...spellings.values()].reduce((sum, number) => sum + number, 0), open }
    })

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
    /** Those of notes and open tasks, most used first. The array is the same until one of them changes. */
    used: () => used,
    subscribe,
  }
}
