import { fold } from '#contract/folding.ts'
import type { Found } from '#contract/search.ts'
import { foldedTagsIn, tagsIn } from '#contract/tags.ts'
import { createListeners } from '../../api/listeners.ts'
import type { Item } from '../entry.ts'
import { isNote, textsOf } from './item-rules.ts'
import type { Store } from './store.ts'

type Tagged = { tags: string[]; is: 'note' | 'open task' | 'done task' }

type Uses = {
  ids: Set<string>
  spellings: Map<string, number>
  /** The number of open tasks and notes. */
  inUse: number
  notes: Set<string>
  /** A copy of `notes`, until one of them changes. */
  shown: ReadonlySet<string> | undefined
}

export type Tags = ReturnType<typeof createTags>

const none: ReadonlySet<string> = new Set()

const unused = (): Uses => ({
  ...{ ids: new Set(), spellings: new Map() },
  ...{ inUse: 0, notes: new Set(), shown: undefined },
})

export function createTags(store: Pick<Store, 'subscribe' | 'task' | 'note' | 'tasks' | 'notes' | 'text'>) {
  const tagged = new Map<string, Tagged>()
  const uses = new Map<string, Uses>()
  const { tell, subscribe } = createListeners()
  let used: readonly string[] = []

  function count(id: string, { tags, is }: Tagged, by: 1 | -1) {
    for (const tag of tags) {
      const key = fold(tag)
      const use = uses.get(key) ?? unused()
      const { ids, spellings, notes } = use
      const left = (spellings.get(tag) ?? 0) + by
      if (left > 0) spellings.set(tag, left)
      else spellings.delete(tag)
      if (by > 0) ids.add(id)
      else ids.delete(id)
      if (is === 'note') {
        if (by > 0) notes.add(id)
        else notes.delete(id)
        use.shown = undefined
      }
      if (is !== 'done task') use.inUse += by
      if (spellings.size === 0) uses.delete(key)
      else uses.set(key, use)
    }
  }

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
    if (tags.length === 0) return
    return { tags, is: isNote(item) ? 'note' : item.doneAt === null ? 'open task' : 'done task' }
  }

  const known = () =>
    [...uses.values()].map(({ spellings, ...use }) => ({
      ...use,
      tag: mostWritten(spellings),
      all: [...spellings.values()].reduce((sum, number) => sum + number, 0),
    }))

  function follow() {
    const next = known()
      .filter(({ inUse }) => inUse > 0)
      .sort((one, other) => other.inUse - one.inUse || one.tag.localeCompare(other.tag))
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
    /** All tags, most used first, each in its most frequent spelling. */
    all: (): string[] =>
      known()
        .sort((one, other) => other.all - one.all || one.tag.localeCompare(other.tag))
        .map(({ tag }) => tag),
    of(tag: string): { tag: string; ids: ReadonlySet<string> } {
      const use = uses.get(fold(tag))
      return use ? { tag: mostWritten(use.spellings), ids: use.ids } : { tag, ids: none }
    },
    /** The tags of notes and open tasks, most used first. The array is the same until one of them changes. */
    used: () => used,
    ofNotes: (): string[] =>
      known()
        .flatMap(({ tag, notes }) => (notes.size > 0 ? [tag] : []))
        .sort((one, other) => one.localeCompare(other)),
    /** The set is the same until one of these notes changes. */
    notesWith(tag: string): ReadonlySet<string> {
      const use = uses.get(fold(tag))
      if (!use) return none
      use.shown ??= new Set(use.notes)
      return use.shown
    },
    subscribe,
  }
}

/** The found notes that have the tag. If few are found, a search adds notes with similar words. */
export const notesWithTag = ({ notes, similar }: Pick<Found, 'notes' | 'similar'>, tag: string) =>
  notes.filter(
    ({ title, excerpt }) => similar.length === 0 || foldedTagsIn([title, excerpt]).includes(fold(tag)),
  )

function mostWritten(spellings: ReadonlyMap<string, number>): string {
  const [[tag] = ['']] = [...spellings].sort(([, one], [, other]) => other - one)
  return tag
}
