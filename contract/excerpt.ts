import { findWords } from './find-words.ts'
import { summaryLength } from './limits.ts'
import { shorten, summaryOf } from './note-summary.ts'

/** The most characters before the first word in its line, and the characters that are folded at a time. */
const [before, step] = [40, 4000]

/** Where an excerpt of a long text begins: shortly before the first word, or at 0 if one is in the first `length` characters. */
export function excerptStart(text: string, words: readonly string[], length: number): number {
  if (words.length === 0 || findWords(text.slice(0, length), words).length > 0) return 0
  // Steps overlap, so that a word at the end of one is found in the next.
  for (let from = 0; from < text.length; from += step / 2) {
    const [first] = findWords(text.slice(from, from + step), words)
    if (!first) continue
    const at = from + first.from
    const line = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
    return wholeCharacterAt(text, Math.max(line, at - before))
  }
  return 0
}

/** The index itself, or the one before if it is the second half of a surrogate pair. */
const wholeCharacterAt = (text: string, index: number) => {
  const code = text.codePointAt(index - 1)
  return code !== undefined && code > 0xffff ? index - 1 : index
}

/** The length of a text's excerpt in the lines of a list, in characters. */
const shown = 60

/** The excerpt of a note in a search: from the first found word after the title, or else the excerpt of lists. */
export function excerptOf(text: string, words: readonly string[]): string {
  const { snippet } = summaryOf(text)
  const { length } = /^\s*[^\n\r]*/.exec(text)?.[0] ?? ''
  const start = excerptStart(text.slice(length), words, shown)
  return start === 0 ? snippet : `…${shorten(text.slice(length + start, length + start + 4 * summaryLength))}`
}
