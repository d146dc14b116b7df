import { derivedRepeat, nextId, nextTask } from '#contract/repeats.ts'
import { isTask } from '../store/item-rules.ts'
import { freshTask, type NewChange, type ValuesByItem, withChange } from '../store/pending-change.ts'
import type { Store } from '../store/store.ts'
import { todayHere } from '../ui/civil-day.ts'

/** The change with what the server will derive from it: the day and the rule of a repeat, and the next task of a completed one. */
export function withDerived(store: Store, change: NewChange): NewChange {
  if (!('set' in change)) return change
  const before = store.current(change.item)
  const after = withChange(before, { ...change, was: before && {}, at: Date.now() })
  if (!after || !isTask(after) || (before && !isTask(before))) return change
  if (after.repeat === null && !before?.repeat) return change
  // A task that was added when this code had not loaded has no day yet.
  const derived = derivedRepeat(after, before?.repeatDay ? before : undefined)
  if (typeof derived !== 'object') return change
  const own = { ...derived, series: after.repeat === null ? after.series : (after.series ?? after._id) }
  const shows: ValuesByItem = { [after._id]: own }
  const task = { ...after, ...own }
  const id = nextId(String(task.series), task._id)
  const isCompleted = task.doneAt !== null && !before?.doneAt && task.deletedAt === null
  const next = isCompleted && !store.current(id) ? nextTask(task, todayHere()) : undefined
  if (next) shows[id] = { ...freshTask, ...next, _id: id, createdAt: task.createdAt }
  return { ...change, shows }
}
