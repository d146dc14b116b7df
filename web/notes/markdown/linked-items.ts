import { todayHere } from '#contract/days.ts'
import { fold } from '#contract/folding.ts'
import { createListeners } from '../../api/listeners.ts'
import { call } from '../../api/page-client.ts'
import { isGone } from '../../engine/store/change-errors.ts'
import { isTask } from '../../engine/store/item-rules.ts'
import type { Store } from '../../engine/store/store.ts'
import type { ItemAddress } from './note-address.ts'
import { shownTitle } from './plain-text.ts'

/** The shown properties of a linked note or task, or the reason why there are none. */
export type LinkedItem = { title: string; isDone: boolean } | { gone: 'deleted' | 'not found' }

/** A note with more links to items that are not held shows the rest as they are written. */
const mostFetched = 200
const mostAtOnce = 4
/** How many titles complete a link that is being typed. */
const mostOffered = 8

/** A title that is a link names another note, not the one that it is the title of. */
const linkedTitle = /^\W*\[(?:\[|.*\]\(note:)/

export async function fetchItem(store: Store, { kind, id }: ItemAddress) {
  const params = { id }
  if (kind === 'task') store.put({ tasks: [(await call('GET /tasks/:id', { params })).data.task] })
  else store.put({ texts: [(await call('GET /notes/:id', { params })).data.note] })
}

/** The notes and tasks that a note links to, as the store has them. Those that it does not hold are fetched. */
export function createLinkedItems(store: Store) {
  const asked = new Set<string>()
  const missing = new Set<string>()
  const waiting: ItemAddress[] = []
  const listeners = createListeners()
  let [fetched, fetching] = [0, 0]
  /** The notes whose ids are known by their titles. */
  let titled: ReturnType<Store['notes']> = []
  let ids = new Map<string, string>()
  let hasTitles = false

  const heldItem = ({ kind, id }: ItemAddress) => (kind === 'task' ? store.task(id) : store.note(id))

  function fetchNext() {
    const address = fetching < mostAtOnce ? waiting.shift() : undefined
    if (!address) return
    fetching++
    fetchItem(store, address)
      .catch((error) => {
        if (!isGone(error)) return console.error(error)
        missing.add(address.id)
        listeners.tell()
      })
      .finally(() => {
        fetching--
        fetchNext()
      })
  }

  return {
    /** The item, if it is known. If not, it is fetched, and the listeners are called. */
    get(address: ItemAddress): LinkedItem | undefined {
      const isFirst = !asked.has(address.id)
      asked.add(address.id)
      const item = heldItem(address)
      if (item) {
        if (item.deletedAt !== null) return { gone: 'deleted' }
        return isTask(item)
          ? { title: item.title, isDone: item.doneAt !== null }
          : { title: shownTitle(item.title), isDone: false }
      }
      if (missing.has(address.id)) return { gone: 'not found' }
      if (isFirst && fetched++ < mostFetched) {
        waiting.push(address)
        fetchNext()
      }
    },
    /** The title of a note, if this page holds it. */
    heldTitle(id: string) {
      const note = store.note(id)
      return note && shownTitle(note.title)
    },
    /** The id of the note with a title, of several the first of the list. Case and accents do not matter. */
    idOfTitle(title: string): string | undefined {
      hasTitles = true
      const notes = store.notes(false)
      if (notes !== titled)
        ids = new Map(
          notes
            .filter((note) => !linkedTitle.test(note.title))
            .toReversed()
            .map((note) => [fold(shownTitle(note.title)), note._id]),
        )
      titled = notes
      return ids.get(fold(title))
    },
    /** Notes, then open tasks, whose titles contain a text; those that begin with it come first. */
    titlesWith(text: string): (ItemAddress & { title: string })[] {
      const typed = fold(text.trim())
      const placed = (kind: ItemAddress['kind'], { _id: id, title }: { _id: string; title: string }) => {
        const shown = kind === 'note' ? shownTitle(title) : title
        const place = fold(shown).indexOf(typed)
        return place < 0 ? [] : [{ kind, id, title: shown, place: Math.sign(place) }]
      }
      const tasks = store.list('latest', todayHere())
      return [
        ...store.notes(false).flatMap((note) => placed('note', note)),
        ...tasks.flatMap((task) => placed('task', task)),
      ]
        .sort((one, other) => one.place - other.place)
        .slice(0, mostOffered)
    },
    /** Calls the listener when one of the items changes. Returns the function that stops it. */
    subscribe(listener: () => void) {
      const leave = listeners.subscribe(listener)
      const stop = store.subscribe((ids) => {
        const changed = [...ids].filter((id) => asked.has(id))
        for (const id of changed) {
          if (store.task(id) ?? store.note(id)) missing.delete(id)
          else missing.add(id)
        }
        const isTitle = hasTitles && [...ids].some((id) => store.note(id) || !store.task(id))
        if (changed.length > 0 || isTitle) listener()
      })
      return () => {
        stop()
        leave()
      }
    },
  }
}

export type LinkedItems = ReturnType<typeof createLinkedItems>
