import { todayHere } from '#contract/days.ts'
import { fold } from '#contract/folding.ts'
import { createListeners } from '../../api/listeners.ts'
import { call } from '../../api/page-client.ts'
import { isGone } from '../../engine/store/change-errors.ts'
import { isTask } from '../../engine/store/item-rules.ts'
import type { Store } from '../../engine/store/store.ts'
import type { ItemAddress } from './note-address.ts'
import { shownTitle } from './plain-text.ts'

export type LinkedItem = { title: string; isDone: boolean } | { gone: 'deleted' | 'not found' }

/** The most items that are fetched for a note. Other links are shown as written. */
const mostFetched = 200
const mostAtOnce = 4
/** The most titles that are offered for a typed link. */
const mostOffered = 8

/** A title that is a link names another note. */
const linkedTitle = /^\W*\[(?:\[|.*\]\(note:)/

export async function fetchItem(store: Store, { kind, id }: ItemAddress) {
  const params = { id }
  if (kind === 'task') store.put({ tasks: [(await call('GET /tasks/:id', { params })).data.task] })
  else store.put({ texts: [(await call('GET /notes/:id', { params })).data.note] })
}

/** The linked items of a note. Items that the store does not have are fetched. */
export function createLinkedItems(store: Store) {
  const asked = new Set<string>()
  const missing = new Set<string>()
  const waiting: ItemAddress[] = []
  const listeners = createListeners()
  let [fetched, fetching] = [0, 0]
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
    /** An unknown item is fetched, and the listeners are called. */
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
    heldTitle(id: string) {
      const note = store.note(id)
      return note && shownTitle(note.title)
    },
    /** The note with a title, without regard to case and accents. Of several, the first of the list. */
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
    /** Notes, then open tasks, whose titles contain a text. Those that begin with it come first. */
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
