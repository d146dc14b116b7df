import { fold } from '#contract/folding.ts'
import type { NoteSummary } from '#contract/notes.ts'
import { wordsOf } from '#contract/search-rules.ts'
import type { Task } from '#contract/tasks.ts'
import { shownTitle } from '../../notes/plain-text.ts'
import { isTask } from '../../store/item-rules.ts'

/** An entry of the palette. `key`: the key that does the same without the palette. */
export type PaletteEntry = { id: string; label: string; folded: string; key?: string } & (
  | { kind: 'command'; run: () => void }
  | { kind: 'tag' }
  | { kind: 'task'; task: Task }
  | { kind: 'note' }
)

/** With a space before it, so that each of its words is after one. */
const folded = (label: string) => ` ${fold(label)}`

/** Items are replaced when they change, so each title is folded once. */
const known = new WeakMap<Task | NoteSummary, PaletteEntry>()

export const commandEntry = (label: string, run: () => void, key?: string): PaletteEntry => ({
  kind: 'command',
  id: label,
  label,
  folded: folded(label),
  ...(key && { key }),
  run,
})

/** The entries of tags, tasks and notes: the tags by their use, then the others by their last change, and done tasks at the end. */
export function itemEntries(
  tags: readonly string[],
  tasks: Iterable<Task>,
  notes: readonly NoteSummary[],
): PaletteEntry[] {
  const items = [...[...tasks].filter(({ deletedAt }) => deletedAt === null), ...notes]
  items.sort((one, other) => Number(isDone(one)) - Number(isDone(other)) || other.version - one.version)
  return [
    ...tags.map((tag): PaletteEntry => ({ kind: 'tag', id: tag, label: tag, folded: folded(tag) })),
    ...items.map(entryOf),
  ]
}

const isDone = (item: Task | NoteSummary) => isTask(item) && item.doneAt !== null

function entryOf(item: Task | NoteSummary): PaletteEntry {
  const held = known.get(item)
  if (held) return held
  const label = isTask(item) ? item.title : shownTitle(item.title)
  const shared = { id: item._id, label, folded: folded(label) }
  const entry: PaletteEntry = isTask(item)
    ? { kind: 'task', task: item, ...shared }
    : { kind: 'note', ...shared }
  known.set(item, entry)
  return entry
}

/**
 * The entries that contain all words of a query, in any order: first those that begin with it, then those in which each word
 * begins a word, then the others; among these in the given order.
 */
export function findEntries(entries: Iterable<PaletteEntry>, query: string, max: number): PaletteEntry[] {
  const words = wordsOf(query)
  const starts = words.map((word) => ` ${word}`)
  const start = ` ${fold(query).trim()}`
  const [beginning, atWords, inside]: [PaletteEntry[], PaletteEntry[], PaletteEntry[]] = [[], [], []]
  for (const entry of entries) {
    if (!words.every((word) => entry.folded.includes(word))) continue
    if (entry.folded.startsWith(start)) beginning.push(entry)
    else if (starts.every((word) => entry.folded.includes(word))) atWords.push(entry)
    else inside.push(entry)
    if (beginning.length === max) break
  }
  return [...beginning, ...atWords, ...inside].slice(0, max)
}
