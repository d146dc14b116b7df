import {
  type Container,
  containerAt,
  isBlank,
  isIndented,
  mayInterrupt,
  placeInside,
  rule,
  skipSpace,
} from './containers.ts'

/**
 * A part of a text in which a link, code or an address can continue on the next line: a paragraph, a heading, or a line of
 * indented code. The marks of the quotes and lists around its lines are spaces, so that each character keeps its place.
 */
export type Section = { from: number; text: string; isCode: boolean }

/** The number of quotes and lists inside each other; deeper ones stay text. */
export const deepest = 24

const fence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/s
const heading = /^#{1,6}(?:[ \t\r]|$)/
const underline = /^(?:=+|-+)[ \t]*\r?$/

/** The sections of a text by the rules of CommonMark, in order. Fenced code is in none of them. */
export function* sectionsOf(text: string): Generator<Section> {
  let open: Container[] = []
  let openFence: string | undefined
  let paragraph: Section | undefined
  /** The item that the last line began without text. */
  let unused: Container | undefined

  function* endParagraph() {
    if (paragraph) yield paragraph
    paragraph = undefined
  }

  for (let start = 0, next = 0; start <= text.length; start = next) {
    const lineBreak = text.indexOf('\n', start)
    next = lineBreak < 0 ? text.length + 1 : lineBreak + 1
    const line = text.slice(start, next - 1)
    let { place, depth } = placeInside(line, open, unused)
    unused = undefined

    if (openFence !== undefined && depth === open.length) {
      if (closes(openFence, line.slice(skipSpace(line, place).at)) && !isIndented(line, place))
        openFence = undefined
      continue
    }
    openFence = undefined

    for (;;) {
      const opened = depth < deepest ? containerAt(line, place) : undefined
      if (!opened || (paragraph && !mayInterrupt(line, place, opened.container, open))) break
      yield* endParagraph()
      open = [...open.slice(0, depth++), opened.container]
      unused = opened.container
      place = opened.place
    }

    const words = line.slice(skipSpace(line, place).at)
    const section = { from: start + place.at, text: line.slice(place.at), isCode: isIndented(line, place) }
    if (isBlank(words)) yield* endParagraph()
    else {
      unused = undefined
      if (paragraph && (section.isCode || !endsParagraph(words, depth < open.length))) {
        // It continues also without the marks of its quotes and lists.
        paragraph.text += `\n${' '.repeat(place.at)}${section.text}`
        continue
      }
      const isUnderline = paragraph !== undefined && underline.test(words)
      yield* endParagraph()
      if (section.isCode || heading.test(words)) yield section
      else if (fence.test(words)) openFence = fence.exec(words)?.slice(1).join('')
      else if (!rule.test(words) && !isUnderline) paragraph = section
    }
    open = open.slice(0, depth)
  }
  yield* endParagraph()
}

/** A line that is outside of the paragraph's quotes and lists underlines nothing. */
const endsParagraph = (words: string, isOutside: boolean) =>
  [heading, fence, rule].some((pattern) => pattern.test(words)) || (!isOutside && underline.test(words))

const closes = (fence: string, words: string) =>
  words.startsWith(fence) && words.replaceAll(fence.charAt(0), '').trim() === ''
