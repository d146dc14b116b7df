/**
 * The rules of searches. The server folds tasks when they are stored and queries when they are sent; the page folds the texts that it
 * shows, to mark the words that were found. This file imports nothing, so the page can load it at run time.
 */

/** Letters that NFKD does not split into a base letter and a mark, in lower case. */
const plain: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  ı: 'i',
  // JavaScript writes the last sigma of a word in lower case as ς, so that ΟΔΟΣ would not be in ΟΔΟΣΑΣ.
  ς: 'σ',
}
const special = new RegExp(`[${Object.keys(plain).join('')}]`, 'g')

/** Accents, points and joiners. The vowel signs of Indic scripts are letters to their readers and stay. */
const marks = /[\p{Script=Inherited}[[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}]&&\p{M}]]/gv

export const ascii = /^[\0-\x7f]*$/

/** Characters that NFKD sorts by their class: combining marks, and two letters of half width that become one. */
export const mark = String.raw`[\p{M}\uFF9E\uFF9F]`

/**
 * The first 30 marks of a character stay, which are more than any language writes (UAX #15, stream-safe text format): NFKD
 * takes quadratic time to sort more of them.
 */
const surplusMarks = new RegExp(`(${mark}{30})${mark}+`, 'gu')

/** U+FDFA is the only character whose folded text would have more than six times its bytes, namely eleven times. */
const longest = /\uFDFA+/g

/** The text without case, accents and other forms of the same letters: `Ärger` and `ARGER` are `arger`, `①` is `1`. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .replace(surplusMarks, '$1')
    .replace(longest, ' ')
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(special, (letter) => plain[letter] as string)
}

/** The text in which an item is searched. A word of a query contains no line break, so it is in one of the texts. */
export const foldedTexts = ([title, ...texts]: (string | null)[]): string =>
  fold(`${title}\n${texts.filter((text) => text).join('\n')}`)

export const foldedOf = ({ title, body }: { title: string; body: string }) => foldedTexts([title, body])

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

/** A part of a text from one index to another, in UTF-16 units. */
export type Range = { from: number; to: number }

/**
 * A tag begins with `#` at the start of a text or after white space, an opening bracket or a quotation mark, so that `C#`
 * and the fragment of an address are not tags. It contains a letter, so that `#1` is not one, and does not end with `-`.
 */
const tags =
  /[#＃](?<=(?:^|[\s\p{Ps}\p{Pi}"'])[#＃])(?=[\p{N}_-]*\p{L})[\p{L}\p{M}\p{N}_]+(?:-+[\p{L}\p{M}\p{N}_]+)*/gu

export type Tag = Range & { text: string }

/** Returns the tags of a text in order, each with its `#`. */
export const tagsIn = (text: string): Tag[] =>
  [...text.matchAll(tags)].map(({ 0: tag, index }) => ({ text: tag, from: index, to: index + tag.length }))

/** Whether the whole text is one tag. */
export const isTag = (text: string): boolean => tagsIn(text)[0]?.text === text
