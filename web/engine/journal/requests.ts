import { withChecked } from '#contract/check-lines.ts'
import { todayHere } from '#contract/days.ts'
import type { KindName } from '#contract/kinds.ts'
import { changesPerCall, requestBytes } from '#contract/limits.ts'
import { baseOf, type Entry, hasText, type ItemSet, itemsOfEntry } from '../entry.ts'
import { changedElsewhere, notUndoable, unknownToServer } from '../store/change-errors.ts'
import type { Store } from '../store/store.ts'

export type Request = {
  mutation: string
  item: string
  kind?: KindName
  group?: string
  at?: string
  day?: string
} & ({ set: ItemSet; base?: number } | { undo: { seq: number; isGroup?: boolean } })

/** Milliseconds. A change that has waited longer is sent with the time when it was made. */
const aMoment = 60_000

/** Rejected, or a tick without its body in the store yet, or a change of a note that is not saved yet. */
const isStopped = (entry: Entry, store: Store) =>
  entry.status === 'failed' ||
  ('check' in entry && !store.isComplete && !store.stored(entry.item)) ||
  (entry.needsItem && !store.stored(entry.item) && !store.gone.has(entry.item))

/** The entries that can be sent. An entry that cannot be sent blocks later ones of its items. */
export function sendable(entries: readonly Entry[], store: Store): Entry[] {
  const stopped = new Set<string>()
  return entries.filter((entry) => {
    const items = itemsOfEntry(entry)
    const isBlocked = isStopped(entry, store) || items.some((item) => stopped.has(item))
    if (isBlocked) for (const item of items) stopped.add(item)
    return !isBlocked
  })
}

/** The entries of the next call: one undo, or changes of different items. */
export function nextBatch(entries: readonly Entry[]): Entry[] {
  const batch: Entry[] = []
  const items = new Set<string>()
  let length = 0
  for (const entry of entries) {
    length += JSON.stringify(entry).length
    const isEnd = 'undo' in entry || items.has(entry.item) || length > requestBytes.default / 4
    if (batch.length > 0 && isEnd) break
    batch.push(entry)
    for (const item of itemsOfEntry(entry)) items.add(item)
    if ('undo' in entry || batch.length === changesPerCall) break
  }
  return batch
}

export function requestOf(entry: Entry, store: Store, now: number): Request | undefined {
  const { mutation, item, kind, was } = entry
  // In a group, the server keeps the text before the change, for an undo and for the history of the note.
  const group = entry.group ?? (hasText(entry) ? mutation : undefined)
  // A change that is sent at once gets the server's time, which is right.
  const at = now - entry.at > aMoment && { at: new Date(entry.at).toISOString() }
  const id = { mutation, item, ...(kind && { kind }), ...(group && { group }), ...at }
  if ('undo' in entry) {
    const { seq, isGroup } = entry.undo
    if (seq === undefined) throw notUndoable()
    return { ...id, undo: { seq, ...(isGroup && { isGroup }) } }
  }
  const stored = store.stored(item)
  if ('set' in entry) {
    // The next task of a repeat follows the day of completion, whenever it is sent.
    const isRepeat = entry.set.done && (entry.shows || (stored?.kind === 'task' && stored.repeat))
    const day = isRepeat && { day: todayHere(new Date(entry.at)) }
    if (entry.base === undefined) return { ...id, ...day, set: entry.set }
    // The store does not know whether a text is the one that was changed.
    const base = hasText(entry) ? entry.base : baseOf(stored, was ?? {}, entry.base)
    return { ...id, ...day, set: entry.set, base }
  }
  if (stored?.kind !== 'task') throw unknownToServer()
  const { check } = entry
  const body = withChecked(stored.body, check, check.checked)
  if (body === undefined && entry.status === 'new') throw changedElsewhere()
  if (body === stored.body && entry.status === 'new') return
  // Only the server knows whether it has ticked a line that has gone since.
  return { ...id, set: { body: body ?? stored.body }, base: stored.version }
}
