import type { Item } from '../items.ts'
import { isTask } from './item-rules.ts'
import type { Replacement } from './sorted-view.ts'

const openDayOf = (item: Item | undefined) =>
  item && isTask(item) && item.doneAt === null && item.deletedAt === null
    ? (item.dueDate ?? undefined)
    : undefined

/** The numbers of open tasks by due date after these changes. If none has changed, it is the same map. */
export function openDaysAfter(days: ReadonlyMap<string, number>, changes: Iterable<Replacement<Item>>) {
  let changed: Map<string, number> | undefined
  for (const { before, after } of changes) {
    const [from, to] = [openDayOf(before), openDayOf(after)]
    if (from === to) continue
    changed ??= new Map(days)
    if (to !== undefined) changed.set(to, (changed.get(to) ?? 0) + 1)
    const left = from === undefined ? 0 : (changed.get(from) ?? 0) - 1
    if (from !== undefined && left > 0) changed.set(from, left)
    else if (from !== undefined) changed.delete(from)
  }
  return changed ?? days
}
