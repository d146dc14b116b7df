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

export const itemsIn = (results: ChangeResults['items']): Answer => ({
  tasks: results.flatMap((result) => (result.kind === 'task' ? (result.item ?? []) : [])),
  texts: results.flatMap((result) => (result.kind === 'note' ? (result.item ?? []) : [])),
})

/** A part of the log, or of this device's replica. */
export type LogPart = { items?: readonly Item[]; purged?: readonly string[] }

export function summarized({ text, ...note }: Note): NoteSummary {
  return { ...note, ...summaryOf(text) }
}

/** What an answer said of an item, until the log confirms it. */
type Ahead = {
  /** Undefined if the answer said that there is no such item. */
  item: Item | undefined
  version: number
  /** When the answer came, by the clock `now`. */
  at: number
  /** The number of the change that causes the server to make this task, as long as no answer has had it. */
  causedBy?: number
}

/** The items of the server's answers. The functions below return the ids of items that they may have changed. */
export const createKnownItems = () => ({
  /** The items of the log. */
  replica: new Map<string, Item>(),
  /** The items of other answers, until the log has the same or newer ones. */
  ahead: new Map<string, Ahead>(),
  /** Notes with texts, which can be older than the shown summaries. */
  texts: new Map<string, Note>(),
  /** The numbers of changes that removed items. Older answers do not bring them back. */
  gone: new Map<string, number>(),
  /** The number of the last change when the log was last read to its end. */
  passed: -1,
  /** A logical clock. */
  now: 0,
})

type KnownItems = ReturnType<typeof createKnownItems>

export function newestOf({ ahead, replica }: KnownItems, id: string): Item | undefined {
  const newer = ahead.get(id)
  return newer ? newer.item : replica.get(id)
}

function isNews({ ahead, replica, gone }: KnownItems, id: string, version: number): boolean {
  const newer = ahead.get(id)
  if (newer) return newer.item ? version >= newer.version : version > newer.version
  return version > (replica.get(id)?.version ?? gone.get(id) ?? -1)
}

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
 * Takes a task that a change causes the server to make. Any answer replaces its version -1. Once the log was read to its end beyond the
 * change, the task is known or does not exist. A part of the log does not tell: it leaves out tasks of later parts.
 */
export function takeExpected(known: KnownItems, task: Task, causedBy: number) {
  const { _id: id } = task
  const isPassed = causedBy <= Math.max(known.passed, known.gone.get(id) ?? -1)
  if (newestOf(known, id) || isPassed) return new Set<string>()
  known.ahead.set(id, { item: ofKind('task', task), version: -1, at: known.now, causedBy })
  return new Set([id])
}

/** `seq`: the number of the last change in this part. */
export function takeLog(known: KnownItems, { items = [], purged = [] }: LogPart, seq: number) {
  const { replica, ahead, texts, gone } = known
  const changed = new Set(purged)
  for (const id of purged) {
    replica.delete(id)
    gone.set(id, seq)
    const newer = ahead.get(id)
    // An expected task may have been made after this removal.
    if ((newer?.causedBy ?? newer?.version ?? 0) <= seq) {
      ahead.delete(id)
      texts.delete(id)
    }
  }
  for (const item of items) {
    const { _id: id, version } = item
    // The same object prevents rendering.
    const held = ahead.get(id)?.item ?? replica.get(id)
    replica.set(id, held && isSame(held, item) ? held : item)
    gone.delete(id)
    if ((ahead.get(id)?.version ?? 0) <= version) ahead.delete(id)
    changed.add(id)
  }
  return changed
}

/** Replaces everything after a reset of the log, for example by a restored backup. */
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

export function removeItems(known: KnownItems, ids: Iterable<string>) {
  const removed = new Set(ids)
  for (const id of removed)
    known.ahead.set(id, { item: undefined, version: newestOf(known, id)?.version ?? 0, at: known.now })
  return removed
}

/** Removes items of earlier answers that the whole log does not confirm: the server lost them in a restore. */
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
