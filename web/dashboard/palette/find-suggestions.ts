import { fold } from '#contract/folding.ts'
import { wordsOf } from '#contract/search-rules.ts'
import type { Task } from '#contract/tasks.ts'
import type { Item, StoredNote, StoredTask } from '../../engine/entry.ts'
import { isTask } from '../../engine/store/item-rules.ts'
import { shownTitle } from '../../notes/markdown/plain-text.ts'
import type { IconName } from '../../ui/icon.tsx'

/** `key` does the same without the palette. `isPlace`: a view, tag, task or note. The last chosen places are kept. */
export type Suggestion = { id: string; label: string; folded: string; key?: string; isPlace?: boolean } & (
  | { kind: 'command'; icon: IconName; run: () => void }
  | { kind: 'tag' }
  | { kind: 'task'; task: Task }
  | { kind: 'note' }
)

/** With a space before it, so that each of its words is after one. */
const folded = (label: string) => ` ${fold(label)}`

/** Items are replaced when they change, so each title is folded once. */
const known = new WeakMap<Item, Suggestion>()

/** `also`: other words that find the command. */
type CommandOptions = { key?: string | undefined; icon?: IconName; also?: string; isPlace?: boolean }

export const command = (
  label: string,
  run: () => void,
  { key, icon = 'task', also = '', isPlace = false }: CommandOptions = {},
): Suggestion => ({
  kind: 'command',
  id: label,
  label,
  icon,
  folded: folded(`${label} ${also}`),
  isPlace,
  ...(key && { key }),
  run,
})

/** Tags by their use, then tasks and notes by their last change, with done tasks at the end. */
export function itemSuggestions(
  tags: readonly string[],
  tasks: Iterable<StoredTask>,
  notes: readonly StoredNote[],
): Suggestion[] {
  const items = [...[...tasks].filter(({ deletedAt }) => deletedAt === null), ...notes]
  items.sort((one, other) => Number(isDone(one)) - Number(isDone(other)) || other.version - one.version)
  return [
    ...tags.map(
      (tag): Suggestion => ({ kind: 'tag', id: tag, label: tag, folded: folded(tag), isPlace: true }),
    ),
    ...items.map(suggestionOf),
  ]
}

const isDone = (item: Item) => isTask(item) && item.doneAt !== null

function suggestionOf(item: Item): Suggestion {
  const held = known.get(item)
  if (held) return held
  const label = isTask(item) ? item.title : shownTitle(item.title)
  const shared = { id: item._id, label, folded: folded(label), isPlace: true }
  const suggestion: Suggestion = isTask(item)
    ? { kind: 'task', task: item, ...shared }
    : { kind: 'note', ...shared }
  known.set(item, suggestion)
  return suggestion
}

/** Labels that begin with the query are first, then those in which each word of it begins a word. Otherwise the order stays. */
export function findSuggestions(suggestions: Iterable<Suggestion>, query: string, max: number): Suggestion[] {
  const words = wordsOf(query)
  const starts = words.map((word) => ` ${word}`)
  const start = ` ${fold(query).trim()}`
  const [beginning, atWords, inside]: [Suggestion[], Suggestion[], Suggestion[]] = [[], [], []]
  for (const suggestion of suggestions) {
    if (!words.every((word) => suggestion.folded.includes(word))) continue
    if (suggestion.folded.startsWith(start)) beginning.push(suggestion)
    else if (starts.every((word) => suggestion.folded.includes(word))) atWords.push(suggestion)
    else inside.push(suggestion)
    if (beginning.length === max) break
  }
  return [...beginning, ...atWords, ...inside].slice(0, max)
}
