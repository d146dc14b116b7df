import type { ListName } from '#contract/lists.ts'
import type { NoteOrder } from '#contract/settings.ts'
import { createListeners } from '../../api/listeners.ts'
import { type Entry, type Item, type StoredNote, type StoredTask, withChange } from '../entry.ts'
import {
  createSortedView,
  isNote,
  isTask,
  noteRule,
  orderedNoteRule,
  type Replacement,
  type Rule,
  repeatRule,
  type SortedView,
  taskRule,
} from './item-rules.ts'
import { isSame } from './known-items.ts'

/** The items as they are shown: the stored ones with their unconfirmed changes, and pinned ones unchanged. */
export function createShownItems(stored: (id: string) => Item | undefined) {
  const shown = new Map<string, Item>()
  /** Unconfirmed changes by item, oldest first. */
  const layers = new Map<string, readonly Entry[]>()
  const onlyHere = new Map<string, Item>()
  const pins = new Map<string, { item: Item; count: number }>()
  const views = new Map<string, { day: string; view: SortedView<Item> }>()
  const { tell, subscribe } = createListeners<[ids: ReadonlySet<string>]>()
  const repeated = Promise.withResolvers<void>()
  let openDays: ReadonlyMap<string, number> = new Map()

  const current = (id: string): Item | undefined =>
    (layers.get(id) ?? []).reduce<Item | undefined>(
      (item, entry) => withChange(item, entry, id),
      stored(id) ?? onlyHere.get(id),
    )

  function show(ids: ReadonlySet<string>) {
    const changes: Replacement<Item>[] = []
    for (const id of ids) {
      const [before, after] = [shown.get(id), pins.get(id)?.item ?? current(id)]
      if (before === after || (before && after && isSame(before, after))) continue
      if (after) shown.set(id, after)
      else shown.delete(id)
      changes.push({ before, after })
    }
    for (const { view } of views.values()) view.change(changes)
    openDays = openDaysAfter(openDays, changes)
    if (changes.some(({ after }) => after && repeatRule.has(after as StoredTask))) repeated.resolve()
    if (ids.size > 0) tell(ids)
  }

  function viewOf<Listed extends Item>(name: string, day: string, rule: () => Rule<Listed>) {
    const held = views.get(name)
    if (held?.day === day) return held.view as unknown as SortedView<Listed>
    const view = createSortedView(shown.values() as Iterable<Listed>, rule())
    views.set(name, { day, view: view as unknown as SortedView<Item> })
    return view
  }

  return {
    show,
    tell,

    layer(changed: ReadonlyMap<string, readonly Entry[]>) {
      for (const [id, entries] of changed) {
        if (entries.length > 0) layers.set(id, entries)
        else layers.delete(id)
      }
      show(new Set(changed.keys()))
    },

    /** Shows an item that the server does not have, until it is undefined. */
    showFresh(id: string, item: Item | undefined) {
      if (item) onlyHere.set(id, item)
      else if (!onlyHere.delete(id)) return
      show(new Set([id]))
    },

    /** An item with its unconfirmed changes, even if it is pinned. */
    current,

    /** Shows these items unchanged until the returned function is called. */
    pin(ids: Iterable<string>): () => void {
      const pinned = [...ids]
      for (const id of pinned) {
        const item = shown.get(id)
        const pin = pins.get(id) ?? (item && { item, count: 0 })
        if (pin) pins.set(id, { ...pin, count: pin.count + 1 })
      }
      return () => {
        for (const id of pinned.splice(0)) {
          const pin = pins.get(id)
          if (pin && pin.count > 1) pins.set(id, { ...pin, count: pin.count - 1 })
          else pins.delete(id)
          show(new Set([id]))
        }
      }
    },

    /** Of `list`, `repeats`, `notes` and `orderedNotes`, the array is the same until one of the items changes. */
    list: (list: ListName, today: string): readonly StoredTask[] =>
      viewOf(list, today, () => taskRule(list, today)).items,
    repeated: repeated.promise,
    repeats: (): readonly StoredTask[] => viewOf('repeats', '', () => repeatRule).items,
    notes: (deleted: boolean): readonly StoredNote[] =>
      viewOf(`notes ${deleted}`, '', () => noteRule(deleted)).items,
    orderedNotes: (order: NoteOrder, locale: string): readonly StoredNote[] =>
      viewOf(`notes by ${order}`, locale, () => orderedNoteRule(order, locale)).items,
    openDays: () => openDays,

    task(id: string): StoredTask | undefined {
      const item = shown.get(id)
      return item && isTask(item) ? item : undefined
    },
    note(id: string): StoredNote | undefined {
      const item = shown.get(id)
      return item && isNote(item) ? item : undefined
    },
    *tasks(): Iterable<StoredTask> {
      for (const item of shown.values()) if (isTask(item)) yield item
    },

    /** Calls the listener with the ids of changed items. Returns the function that stops it. */
    subscribe,
  }
}

const openDayOf = (item: Item | undefined) =>
  item && isTask(item) && item.doneAt === null && item.deletedAt === null
    ? (item.dueDate ?? undefined)
    : undefined

/** The counts after these changes; the same map if none has changed. */
function openDaysAfter(days: ReadonlyMap<string, number>, changes: readonly Replacement<Item>[]) {
  const moved = changes
    .map(({ before, after }) => [openDayOf(before), openDayOf(after)])
    .filter(([from, to]) => from !== to)
  if (moved.length === 0) return days
  const changed = new Map(days)
  const count = (day: string | undefined, by: number) => {
    const left = day === undefined ? 0 : (changed.get(day) ?? 0) + by
    if (day !== undefined && left > 0) changed.set(day, left)
    else if (day !== undefined) changed.delete(day)
  }
  for (const [from, to] of moved) {
    count(to, 1)
    count(from, -1)
  }
  return changed
}
