import { fold } from './folding.ts'
import { foldedTagsIn, isTag } from './tags.ts'

/**
 * The rules of searches. The server folds tasks when they are stored and queries when they are sent; the page runs the same rules on
 * the items that it has.
 */

/** The folded words of a query, each once and without those that another one contains. All of them must occur. */
export function wordsOf(query: string): string[] {
  const words = [...new Set(fold(query).split(/\s+/))].filter((word) => word !== '')
  const isInAnother = (word: string) => words.some((other) => other !== word && other.includes(word))
  return words.filter((word) => !isInAnother(word))
}

/**
 * Whether a folded text contains every word. A word that is a whole tag occurs only as this tag, not in a longer one or in
 * code. `texts`: the texts before they were folded. They determine what a tag is.
 */
export function hasWords(
  folded: string,
  words: readonly string[],
  texts: readonly (string | null)[] = [folded],
): boolean {
  if (!words.every((word) => folded.includes(word))) return false
  const tags = words.filter(isTag)
  if (tags.length === 0) return true
  const found = new Set(foldedTagsIn(texts))
  return tags.every((tag) => found.has(tag))
}

/**
 * What the order of found tasks depends on, the most important first. Tasks with the words come before tasks with similar
 * words, open tasks before done ones, tasks with the words in the title before others, and newer tasks before older ones. A done task
 * is as new as its completion: all tasks of a repeat were created at the same time.
 */
export type Rank = { id: string; isSimilar: boolean; isDone: boolean; inTitle: boolean; at: number }

/** Whether the words are all in the title of a folded item, which is the first line that the first of its texts has. */
export const inTitle = (
  folded: string,
  words: readonly string[],
  [first = folded]: readonly (string | null)[] = [],
): boolean => hasWords(folded.slice(0, folded.indexOf('\n')), words, /\S[^\n\r]*/.exec(first ?? '') ?? [])

export function compareRanks(one: Rank, other: Rank): number {
  if (one.isSimilar !== other.isSimilar) return one.isSimilar ? 1 : -1
  if (one.isDone !== other.isDone) return one.isDone ? 1 : -1
  if (one.inTitle !== other.inTitle) return one.inTitle ? -1 : 1
  return other.at - one.at || (one.id > other.id ? -1 : Number(one.id < other.id))
}
