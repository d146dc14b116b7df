/**
 * A part of a text in which a link, code or an address can continue on the next line: a paragraph, a heading, or a line of
 * indented code. The marks of the quotes and lists around its lines are spaces, so that each character keeps its place.
 */
type Section = { from: number; text: string; isCode: boolean }

/** The words of a line behind marks and spaces, their column, and the column where the text of the innermost mark begins. */
type Place = { words: string; column: number; base: number }

/** The number of quotes and lists inside each other; deeper ones stay text. */
export const deepest = 24

const mark = /^(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/
/** A quote, or an item that may begin in a paragraph. */
const interrupting = /^(?:>|(?:[-*+]|1[.)])[ \t]+\S)/
const fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/
const heading = /^#{1,6}(?:[ \t]|$)/
const rule = /^([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const underline = /^(?:=+|-+)[ \t]*$/

/** The sections of a text by the rules of CommonMark, in order. Fenced code is in none of them. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  /** The quotes and items around the line: by how many columns the text of an item is indented, and 0 for a quote. */
  let open: number[] = []
  let openFence: string | undefined
  let paragraph: Section | undefined
  let next = 0
  for (const line of text.replaceAll('\r\n', ' \n').split('\n')) {
    let place: Place = { ...behind(line, 0), base: 0 }
    let depth = 0
    for (; depth < open.length; depth++) {
      const inside = continued(place, Number(open[depth]))
      if (!inside) break
      place = inside
    }
    const isInside = depth === open.length
    if (!isInside) openFence = undefined

    while (openFence === undefined && depth < deepest && !isCode(place) && !rule.test(place.words)) {
      const found = mark.exec(place.words)?.[0]
      if (found === undefined || (paragraph && isInside && !interrupting.test(place.words))) break
      const { base } = place
      place = behind(place.words, place.column, found)
      open = [...open.slice(0, depth++), found === '>' ? 0 : place.base - base]
      paragraph = undefined
    }

    const { words } = place
    const before = line.length - words.length
    const section = { from: next + before, text: words, isCode: isCode(place) }
    next += line.length + 1
    const isHeading = heading.test(words)
    const isUnderline = paragraph !== undefined && isInside && underline.test(words)
    const isText = words !== '' && !fence.test(words) && !rule.test(words) && !isUnderline
    if (openFence !== undefined) {
      if (closes(openFence, place)) openFence = undefined
    } else if (paragraph && words !== '' && (section.isCode || (isText && !isHeading))) {
      // It continues also without the marks of its quotes and lists.
      paragraph.text += `\n${' '.repeat(before)}${words}`
      continue
    } else {
      if (isText || (section.isCode && words !== '')) sections.push(section)
      else openFence = fence.exec(words)?.[0]
      paragraph = isText && !isHeading && !section.isCode ? section : undefined
    }
    open = open.slice(0, depth)
  }
  return sections
}

const isCode = ({ column, base }: Place) => column >= base + 4

const closes = (fence: string, place: Place) =>
  !isCode(place) && place.words.startsWith(fence) && place.words.replaceAll(fence.charAt(0), '').trim() === ''

/** The place behind the mark of a quote, or behind the indentation of an item. Undefined if the line is not in it. */
function continued(place: Place, indent: number): Place | undefined {
  const { words, column } = place
  if (indent === 0) return words.startsWith('>') ? behind(words, column, '>') : undefined
  if (words === '') return place
  const base = place.base + indent
  return column < base ? undefined : { ...place, base }
}

/** The place behind a mark, and behind spaces and tabs. A tab reaches to the next column that is a multiple of four. */
function behind(text: string, from: number, mark = ''): Place {
  const markEnd = from + mark.length
  let column = markEnd
  let at = mark.length
  for (; text[at] === ' ' || text[at] === '\t'; at++) column += text[at] === '\t' ? 4 - (column % 4) : 1
  const words = text.slice(at)
  // Words that are further away are code inside of the quote or item.
  const isFar = words === '' || column > markEnd + (mark === '>' ? 1 : 4)
  return { words, column, base: isFar ? markEnd + 1 : column }
}
