import type { ChangeResults } from '#contract/changes.ts'
import { summaryOf } from '#contract/note-summary.ts'
import type { Note, NoteSummary } from '#contract/notes.ts'
import type { Task } from '#contract/tasks.ts'
import { type Item, ofKind } from '../entry.ts'

/** The items in an answer of the server. `texts`: whole notes. */
export type Answer = {
  tasks?: readonly Task[]
  notes?: readonly NoteSummary[]
  texts?: readonly Note[]
}

/** The items in the answer to a write, as they are now. */
export const itemsIn = (results: ChangeResults['items']): Answer => ({
  tasks: results.flatMap((result) => (result.kind === 'task' ? (result.item ?? []) : [])),
  texts: results.flatMap((result) => (result.kind === 'note' ? (result.item ?? []) : [])),
})

/** A part of the log, or of the copy that this device has kept. */
export type LogPart = { items?: readonly Item[]; purged?: readonly string[] }

/** The summary of a note, which lists show. */
export function summarized({ text, ...note }: Note): NoteSummary {
  return { ...note, ...summaryOf(text) }
}

type Ahead = { item: Item | undefined; version: number; at: number; madeBy?: number }

/** The items that answers of the server contained. The functions below return the ids of the items that they may have changed. */
export const createKnownItems = () => ({
  /** The items as the log of changes has them. */
  replica: new Map<string, Item>(),
  /**
   * Items of other answers that the log has not confirmed yet, and when the answers came. Without `item`, it was removed. `madeBy`: of an
   * expected one, the number of the change that has made it.
   */
  ahead: new Map<string, Ahead>(),
  /** The notes whose text has been fetched or written. It can be older than the note that is shown. */
  texts: new Map<string, Note>(),
  /** The positions in the log at which items were removed: an older answer does not bring them back. */
  gone: new Map<string, number>(),
  /** The number of the last change in the log at its end: all items are known as they were then. */
  passed: -1,
  /** The time of answers. */
  now: 0,
})

type KnownItems = ReturnType<typeof createKnownItems>

/** An item as the server has it, as far as that is known. */
export function newestOf({ ahead, replica }: KnownItems, id: string): Item | undefined {
  const newer = ahead.get(id)
  return newer ? newer.item : replica.get(id)
}

/** Whether an answer with this version says something new of an item. */
function isNews({ ahead, replica, gone }: KnownItems, id: string, version: number): boolean {
  const newer = ahead.get(id)
  if (newer) return newer.item ? version >= newer.version : version > newer.version
  return version > (replica.get(id)?.version ?? gone.get(id) ?? -1)
}

/** Takes the items of an answer of any call, until the log of changes has the same or newer ones. */
export function takeAnswer(known: KnownItems, { tasks = [], notes = [], texts = [] }: Answer) {
  const changed = new Set<string>()
  for (const note of texts) {
    const { _id: id, version } = note
    if (version < (known.texts.get(id)?.version ?? 0)) continue
    known.texts.set(id, note)
    changed.add(id)
  }
  const items = [
    ...tasks.map((task) => ofKind('task', task)),
    ...[...notes, ...texts.map(summarized)].map((note) => ofKind('note', note)),
  ]
  for (const item of items) {
    if (!isNews(known, item._id, item.version)) continue
    known.ahead.set(item._id, { item, version: item.version, at: known.now })
    changed.add(item._id)
  }
  return changed
}

/**
 * Takes a task that the server is expected to have made, unless the store has it. Its version is a guess, or 0, so any answer with the
 * task and the log replace it, whatever their version is. If the log was read to its end after `madeBy` without the task, it was not made
 * or was removed. A part of the log does not say so: it leaves out a task that was changed again after that part.
 */
export function takeExpected(known: KnownItems, task: Task, madeBy: number) {
  const { _id: id } = task
  const isPassed = madeBy <= Math.max(known.passed, known.gone.get(id) ?? -1)
  if (newestOf(known, id) || isPassed) return new Set<string>()
  known.ahead.set(id, { item: ofKind('task', task), version: -1, at: known.now, madeBy })
  return new Set([id])
}

/** Takes the next part of the log, or the items that this device has kept. `seq` is the number of the last change in it. */
export function takeLog(known: KnownItems, { items = [], purged = [] }: LogPart, seq: number) {
  const { replica, ahead, texts, gone } = known
  const changed = new Set(purged)
  for (const id of purged) {
    replica.delete(id)
    gone.set(id, seq)
    const newer = ahead.get(id)
    // An expected task was made after the change that made it, and so perhaps after this removal.
    if ((newer?.madeBy ?? newer?.item?.version ?? newer?.version ?? 0) <= seq) {
      ahead.delete(id)
      texts.delete(id)
    }
  }
  for (const item of items) {
    const { _id: id, version } = item
    // The same object is shown as before, so that nothing is rendered again.
    const held = ahead.get(id)?.item ?? replica.get(id)
    replica.set(id, held && isSame(held, item) ? held : item)
    gone.delete(id)
    if ((ahead.get(id)?.version ?? 0) <= version) ahead.delete(id)
    changed.add(id)
  }
  return changed
}

/** Replaces everything with the items of the log after a reset, for example after the restore of a backup. */
export function replaceAll(known: KnownItems, items: readonly Item[]) {
  const { replica, ahead, texts, gone } = known
  known.passed = -1
  const changed = new Set([...replica.keys(), ...ahead.keys(), ...texts.keys()])
  for (const held of [replica, ahead, gone, texts]) held.clear()
  for (const item of items) {
    replica.set(item._id, item)
    changed.add(item._id)
  }
  return changed
}

/** Removes items that no longer exist, as an answer said. */
export function removeItems(known: KnownItems, ids: Iterable<string>) {
  const removed = new Set(ids)
  for (const id of removed)
    known.ahead.set(id, { item: undefined, version: newestOf(known, id)?.version ?? 0, at: known.now })
  return removed
}

/** Removes items of answers until that time that the whole log does not confirm: the server lost them in a restore. */
export function forgetLost({ ahead, texts }: KnownItems, time: number) {
  const lost = new Set<string>()
  for (const [id, { at }] of ahead) if (at <= time) lost.add(id)
  for (const id of lost) {
    ahead.delete(id)
    texts.delete(id)
  }
  return lost
}

export const isSame = (one: Item, other: Item) =>
  Object.entries(one).every(([field, value]) => other[field as keyof Item] === value)
