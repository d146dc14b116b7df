/**
 * What a search finds. The server folds tasks when they are stored and queries when they are sent; the page folds what it
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

const ascii = /^[\0-\x7f]*$/

/** U+FDFA is the only character whose folded text would have more than six times its bytes, namely eleven times. */
const longest = /\uFDFA+/g

/** The text without case, accents and other forms of the same letters: `Ärger` and `ARGER` are `arger`, `①` is `1`. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .replace(longest, ' ')
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(special, (letter) => plain[letter] as string)
}

/** The text in which a task is searched. A word of a query contains no line break, so it is in the title or in the body. */
export const foldedOf = ({ title, body }: { title: string; body: string }): string =>
  fold(`${title}\n${body}`)

/** The folded words of a query, each once and without those that another one contains. All of them must occur. */
export function wordsOf(query: string): string[] {
  const words = [...new Set(fold(query).split(/\s+/))].filter((word) => word !== '')
  const isInAnother = (word: string) => words.some((other) => other !== word && other.includes(word))
  return words.filter((word) => !isInAnother(word))
}

/** Whether a folded text contains every word. A word that is a whole tag occurs only as this tag, not in a longer one. */
export function hasWords(folded: string, words: readonly string[]): boolean {
  return words.every(
    (word) => folded.includes(word) && (!isTag(word) || tagsIn(folded).some(({ text }) => text === word)),
  )
}

/** What a task that was found is ranked by: open before done, found in the title before elsewhere, newest first. */
export type Rank = { id: string; isDone: boolean; inTitle: boolean; createdAt: number }

/** Whether the words are all in the title of a folded task. */
export const inTitle = (folded: string, words: readonly string[]): boolean =>
  hasWords(folded.slice(0, folded.indexOf('\n')), words)

/** Negative if the first task comes before the second, positive if after. */
export function compareRanks(one: Rank, other: Rank): number {
  if (one.isDone !== other.isDone) return one.isDone ? 1 : -1
  if (one.inTitle !== other.inTitle) return one.inTitle ? -1 : 1
  return other.createdAt - one.createdAt || (one.id > other.id ? -1 : Number(one.id < other.id))
}

/** A part of a text from one index to another, in UTF-16 units. */
export type Range = { from: number; to: number }

/** A character with its marks. Folding two of them gives the same text as folding each. */
const characters = /\P{M}?\p{M}*/gu

/** Returns where the folded words occur in a text that is not folded, in order and without overlaps. */
export function findWords(text: string, words: readonly string[]): Range[] {
  if (words.length === 0 || text === '') return []
  /** For each unit of the folded text, the character that it comes from. */
  const sources: Range[] = []
  let folded = ''
  for (const { 0: character, index } of text.matchAll(characters)) {
    const source = { from: index, to: index + character.length }
    const part = fold(character)
    folded += part
    for (let unit = 0; unit < part.length; unit++) sources.push(source)
  }
  const found = words.flatMap((word) =>
    placesOf(word, folded).map((at): Range => {
      const [first, last] = [sources[at], sources[at + word.length - 1]]
      return { from: first?.from ?? 0, to: last?.to ?? 0 }
    }),
  )
  return withoutOverlaps(found)
}

function placesOf(word: string, folded: string): number[] {
  if (isTag(word)) return tagsIn(folded).flatMap(({ text, from }) => (text === word ? [from] : []))
  const places: number[] = []
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) places.push(at)
  return places
}

function withoutOverlaps(ranges: Range[]): Range[] {
  const joined: Range[] = []
  for (const range of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else joined.push({ ...range })
  }
  return joined
}

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
