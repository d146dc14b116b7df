import { todayHere } from '#contract/days.ts'
import {
  derivedRepeat,
  nextId,
  nextRepeat,
  nextTask,
  repeatMovedTo,
  skippedRepeat,
} from '#contract/repeats.ts'
import type { Task } from '#contract/tasks.ts'
import { freshTask, type NewChange, type ValuesByItem, withChange } from '../entry.ts'
import { isTask } from '../store/item-rules.ts'
import type { Store } from '../store/store.ts'
import { move, skip } from './plan.ts'

/** Adds what the server will derive: the day and the rule of a repeat, and the next task of a completed one. */
export function withDerived(store: Store, change: NewChange): NewChange {
  if (!('set' in change)) return change
  const before = store.current(change.item)
  const after = withChange(before, { ...change, was: before && {}, at: Date.now() })
  if (!after || !isTask(after) || (before && !isTask(before))) return change
  if (after.repeat === null && !before?.repeat) return change
  // A task that was added before this code was loaded has no day yet.
  const derived = derivedRepeat(after, before?.repeatDay ? before : undefined)
  if (typeof derived !== 'object') return change
  const own = { ...derived, series: after.repeat === null ? after.series : (after.series ?? after._id) }
  const shows: ValuesByItem = { [after._id]: own }
  const task = { ...after, ...own }
  const id = nextId(String(task.series), task._id)
  const isCompleted = task.doneAt !== null && !before?.doneAt && task.deletedAt === null
  const known = store.current(id)
  const isLost = known && isTask(known) && known.deletedAt !== null && known.doneAt === null
  const next = isCompleted && (!known || isLost) ? nextTask(task, todayHere()) : undefined
  if (next && known) shows[id] = { ...next, deletedAt: null }
  else if (next) shows[id] = { ...freshTask, ...next, _id: id, createdAt: task.createdAt }
  // The server completes this occurrence even if another device has skipped it meanwhile.
  const { repeatDay } = task
  return isCompleted && repeatDay !== null
    ? { ...change, set: { ...change.set, repeatDay }, shows }
    : { ...change, shows }
}

/** Undefined if this is the last occurrence, or the task does not repeat. */
export function skipThis(task: Task): NewChange | undefined {
  const next = skippedRepeat(task)
  return next && skip.make(task, next)
}

export const isLast = (task: Task) => task.repeat !== null && nextRepeat(task, todayHere()) === undefined

/** Moves the next task to today, or reopens the last one, if an earlier occurrence was completed and the next leaves out today. */
export function keepToday(store: Store, task: Task): NewChange | undefined {
  const { repeatFrom, repeatDay, series, _id } = task
  const today = todayHere()
  if (repeatFrom === 'done' || repeatDay === null || repeatDay >= today) return
  if (repeatMovedTo(task, today) === undefined) return
  const next = store.task(nextId(String(series), _id))
  const isKept = next && next.doneAt === null && next.deletedAt === null && (next.repeatDay ?? '') > today
  const isReopened = !next && isLast(task) && task.doneAt !== null && task.deletedAt === null
  if (!isKept && !isReopened) return
  const { set, ...moved } = move.make(next ?? task, today)
  return { ...moved, set: { ...set, repeatDay: today, ...(isReopened && { done: false }) } }
}
