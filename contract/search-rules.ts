import { fold } from './folding.ts'
import { isTag, tags } from './tags.ts'

/**
 * The rules of searches. The server folds tasks when they are stored and queries when they are sent; the page runs the same rules on
 * the items that it has.
 */

/** The text in which an item is searched. A word of a query contains no line break, so it is in one of the texts. */
export const foldedTexts = ([title, ...texts]: (string | null)[]): string =>
  fold(`${title}\n${texts.filter((text) => text).join('\n')}`)

/** The folded words of a query, each once and without those that another one contains. All of them must occur. */
export function wordsOf(query: string): string[] {
  const words = [...new Set(fold(query).split(/\s+/))].filter((word) => word !== '')
  const isInAnother = (word: string) => words.some((other) => other !== word && other.includes(word))
  return words.filter((word) => !isInAnother(word))
}

/** Whether a folded text contains every word. A word that is a whole tag occurs only as this tag, not in a longer one. */
export function hasWords(folded: string, words: readonly string[]): boolean {
  if (!words.every((word) => folded.includes(word))) return false
  const missing = new Set(words.filter(isTag))
  if (missing.size === 0) return true
  for (const [tag] of folded.matchAll(tags)) if (missing.delete(tag) && missing.size === 0) return true
  return false
}

/**
 * The ranks of found tasks: those with the words before those with similar ones, open before done, found in
 * the title before elsewhere, newest first.
 */
export type Rank = { id: string; isSimilar: boolean; isDone: boolean; inTitle: boolean; createdAt: number }

/** Whether the words are all in the title of a folded task. */
export const inTitle = (folded: string, words: readonly string[]): boolean =>
  hasWords(folded.slice(0, folded.indexOf('\n')), words)

/** Negative if the first task comes before the second, positive if after. */
export function compareRanks(one: Rank, other: Rank): number {
  if (one.isSimilar !== other.isSimilar) return one.isSimilar ? 1 : -1
  if (one.isDone !== other.isDone) return one.isDone ? 1 : -1
  if (one.inTitle !== other.inTitle) return one.inTitle ? -1 : 1
  return other.createdAt - one.createdAt || (one.id > other.id ? -1 : Number(one.id < other.id))
}
