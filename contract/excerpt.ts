import { findWords } from './find-words.ts'
import { summaryLength } from './limits.ts'
import { shorten } from './note-summary.ts'
import type { Range } from './ranges.ts'
import { partsOf } from './text-parts.ts'

/** The most characters before the first word in its line, and the characters that are folded at a time. */
const [before, step] = [40, 5000]

/** Links, addresses and tags are in an excerpt from their beginning to their end or not at all. Longer ones are cut. */
const longestWhole = 500

/** Where an excerpt of a long text begins: shortly before the first word, or at 0 if one is in the first `length` characters. */
export function excerptStart(text: string, words: readonly string[], length: number): number {
  if (words.length === 0 || findWords(text.slice(0, length), words).length > 0) return 0
  // Steps overlap, so that a word at the end of one is found in the next.
  for (let from = 0; from < text.length; from += step / 2) {
    const [first] = findWords(text.slice(from, from + step), words)
    if (!first) continue
    const at = from + first.from
    const line = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
    const start = Math.max(line, at - before)
    const whole = wholeAt(text, start)
    if (whole) return whole.to > at ? whole.from : whole.to
    return wholeCharacterAt(text, start)
  }
  return 0
}

function wholeAt(text: string, index: number): Range | undefined {
  const first = Math.max(0, index - longestWhole)
  for (const part of partsOf(text.slice(first, index + longestWhole))) {
    const [from, to] = [first + part.from, first + part.to]
    if (from < index && to > index) return { from, to }
  }
}

/** The index itself, or the one before if it is the second half of a surrogate pair. */
const wholeCharacterAt = (text: string, index: number) => {
  const code = text.codePointAt(index - 1)
  return code !== undefined && code > 0xffff ? index - 1 : index
}

/** The length of a text's excerpt in the lines of a list, in characters. */
const shown = 60

/** The marks of lists, quotes and headings, and lines that are only a rule: in one line they would look like text. */
const lineMarks =
  /^[ \t]*(?:(?:>|[-*+]|#{1,6})[ \t]+)+(?:\[[ xX]\][ \t]+)?|^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$/gm

/** The excerpt of a note in a search: from the first found word after the title, or else from the line after the title. */
export function excerptOf(text: string, words: readonly string[]): string {
  const rest = text.slice(/^\s*[^\n\r]*/.exec(text)?.[0].length)
  const start = excerptStart(rest, words, shown)
  const line = rest
    .slice(start, start + 4 * summaryLength)
    .replace(lineMarks, '')
    .replace(/\s+/g, ' ')
  const short = shorten(line)
  const whole = wholeAt(line.trimStart(), short.length)
  return `${start > 0 ? '…' : ''}${whole?.from ? short.slice(0, whole.from).trimEnd() : short}`
}
