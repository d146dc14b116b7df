import { longestParsed, noteParser } from '../markdown/note-parser.ts'
import { bold, type Character, code, italic, linked, struck, unformatted } from './blocks.ts'
import { endOfStretch, forEachSpan, removeFormat, spanAt, trimFormat } from './format-spans.ts'
import { type Marked, markedText } from './marked-text.ts'
import { hidden, raw, readBack } from './read-back.ts'

/** Code is last, because it is the innermost, and the other formats divide it. */
const formats = [bold, italic, struck, linked, code]

const maxCorrections = 24

const punctuation = /[!-/:-@[-`{-~]/
const notInWord = /[^\p{L}\p{N}\p{M}]/u

/** The Markdown before the first line, before other lines, and after the text. */
type Around = { first?: string; others?: string; after?: string }

/** A paragraph as Markdown that the parser reads back: text like syntax is escaped, and formats it cannot find are shortened. */
export function inlineMarkdown(text: Character[], around: Around = {}): string {
  const characters = text.map((character) => ({ ...character }))
  for (const format of formats) trimSpaces(characters, format)
  for (const format of [bold, italic, struck]) trimPunctuation(characters, format, around)
  setLinks(characters)
  for (let count = 0; count < maxCorrections; count++) {
    const marked = markedText(characters)
    const seen = seenBy(marked, around)
    const taken = marked.origins.filter((origin, index) => origin >= 0 && seen(index) & (hidden | raw))
    const isText = taken.length === 0
    if (isText ? correctFormats(characters, marked, seen) : escapeText(characters, taken)) continue
    if (isText && !isMarkShown(marked, seen)) return marked.markdown
    break
  }
  return withoutFormats(text)
}

/** Spaces at the ends are outside of the marks, and formats end with the line. */
function trimSpaces(characters: Character[], format: number) {
  for (const [index, { unit }] of characters.entries())
    if (unit === '\n') removeFormat(characters, index, index + 1, format)
  forEachSpan(characters, format, ([from, to]) => {
    for (let start = from, end = to; start < to; start = end) {
      end = format === code ? Math.min(endOfStretch(characters, start), to) : to
      trimFormat(characters, [start, end], format, /\s/)
      // Between a backtick and the mark, a space would be necessary, which is shown.
      const isUnmarkable = [start, end - 1].some((place) => characters[place]?.unit === '`')
      if (format === code && isUnmarkable) removeFormat(characters, start, end, code)
    }
  })
}

/** Punctuation between a mark and a word makes the mark text: `**x:**y`. */
function trimPunctuation(characters: Character[], format: number, { first = '', after = '' }: Around) {
  const unitAt = (index: number) => characters[index]?.unit ?? (index < 0 ? first.at(-1) : after.at(0)) ?? ''
  const isWord = (index: number) => /[\p{L}\p{N}\p{M}]/u.test(unitAt(index))
  forEachSpan(characters, format, ([from, to]) => {
    const isBad = (isWord(from - 1) && !isWord(from)) || (isWord(to) && !isWord(to - 1))
    if (isBad) trimFormat(characters, [from, to], format, notInWord)
  })
}

/** A link whose text is its address is written as the address. In other links, brackets would end the text. */
function setLinks(characters: Character[]) {
  forEachSpan(characters, linked, ([from, to]) => {
    const span = characters.slice(from, to)
    const link = span[0]?.link
    if (!link) return
    const text = unformatted(span)
    link.isBare = text === link.address || `mailto:${text}` === link.address
    if (!link.isBare) escapeBrackets(span)
  })
}

const escapeBrackets = (span: Character[]) => {
  for (const character of span) character.isEscaped ||= /[[\]]/.test(character.unit)
}

function seenBy({ markdown }: Marked, { first = '', others = '', after = '' }: Around) {
  const lines = markdown.split('\n')
  const whole = first + lines.join(`\n${others}`) + after
  const seen = readBack(noteParser.parse(whole), whole)
  const places: number[] = []
  let place = first.length
  for (const { length } of lines) {
    for (let index = 0; index <= length; index++) places.push(place++)
    place += others.length
  }
  return (index: number) => seen[places[index] ?? -1] ?? 0
}

/** Escapes the first character of each part that was read as syntax. False if none can be escaped. */
function escapeText(characters: Character[], taken: number[]): boolean {
  let isCorrected = false
  let isInPart = false
  for (const [index, origin] of taken.entries()) {
    if (taken[index - 1] !== origin - 1) isInPart = false
    const character = characters[origin] as Character
    if (isInPart || character.isEscaped || !punctuation.test(character.unit)) continue
    isInPart = true
    isCorrected = true
    if (character.formats & code) removeFormat(characters, ...spanAt(characters, origin, code), code)
    else character.isEscaped = true
  }
  return isCorrected
}

const isMarkShown = ({ markdown, origins }: Marked, seen: (index: number) => number) =>
  origins.some((origin, index) => origin < 0 && !(seen(index) & (hidden | code)) && markdown[index] !== '\n')

/** Corrects the first format that was not found, or removes formats that were found in addition. */
function correctFormats(characters: Character[], { origins }: Marked, seen: (index: number) => number) {
  let first: { origin: number; format: number } | undefined
  let extra = 0
  for (const [index, origin] of origins.entries()) {
    const character = characters[origin]
    if (!character || first) continue
    const wanted = character.formats | (character.link ? linked : 0)
    // Plain addresses are links too.
    const found = seen(index) & (character.link ? ~0 : ~linked)
    const format = formats.find((bit) => wanted & ~found & bit)
    if (format !== undefined) first = { origin, format }
    extra |= found & ~wanted
  }
  if (first) correctSpan(characters, spanAt(characters, first.origin, first.format), first.format)
  // Formats of the surrounding text cannot be removed.
  const isRemovable = characters.some(
    (character) => character.formats & extra || (character.link && extra & linked),
  )
  for (const format of first ? [] : formats)
    if (extra & format) removeFormat(characters, 0, characters.length, format)
  return first !== undefined || isRemovable
}

function correctSpan(characters: Character[], span: [number, number], format: number) {
  const [from, to] = span
  const link = characters[from]?.link
  if (format === linked && link?.isBare) {
    link.isBare = false
    escapeBrackets(characters.slice(from, to))
  } else removeFormat(characters, from, to, format)
}

/** Escapes all punctuation, unless the line would be too long for the parser. */
function withoutFormats(text: Character[]): string {
  const escaped = text.map(({ unit }) => ({ unit, formats: 0, isEscaped: punctuation.test(unit) }))
  const { markdown } = markedText(escaped)
  return markdown.length > longestParsed ? unformatted(text) : markdown
}
