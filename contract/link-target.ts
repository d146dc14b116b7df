import type { Range } from './ranges.ts'

/** What follows the label of a link: where it leads, and perhaps a title, both without their marks. */
type LinkTarget = { to: number; destination: Range; title: Range | undefined }

const space = /[ \t\n\r]*/y
const enclosed = /<(?:\\.|[^<>\\\n])*>/y
/** Parentheses in it are in pairs, two levels deep. */
const bare =
  /(?:\\[^\s]|[^\s\\()\p{Cc}]|\((?:\\[^\s]|[^\s\\()\p{Cc}]|\((?:\\[^\s]|[^\s\\()\p{Cc}])*\))*\))*/uy
const title = /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^()\\])*\)/y

/** Reads `(destination "title")` at an index of a text, as CommonMark defines it. */
export function linkTargetAt(text: string, index: number): LinkTarget | undefined {
  if (text[index] !== '(') return
  const from = endOf(space, text, index + 1)
  const isEnclosed = text[from] === '<'
  const to = endOf(isEnclosed ? enclosed : bare, text, from)
  if (isEnclosed && to === from) return
  const titleFrom = endOf(space, text, to)
  const titleTo = titleFrom > to ? endOf(title, text, titleFrom) : titleFrom
  const end = endOf(space, text, titleTo)
  if (text[end] !== ')') return
  const marks = isEnclosed ? 1 : 0
  return {
    to: end + 1,
    destination: { from: from + marks, to: to - marks },
    title: titleTo > titleFrom ? { from: titleFrom + 1, to: titleTo - 1 } : undefined,
  }
}

function endOf(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index
  return pattern.test(text) ? pattern.lastIndex : index
}

/** The named entities in addresses on web pages. */
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The destination of a link as it is meant: without backslashes before marks and without entities. */
export const destinationOf = (written: string): string =>
  unescaped(
    written.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (entity, decimal, hexadecimal, name) => {
      if (name !== undefined) return entities[name] ?? entity
      const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
    }),
  )

/** The text without the backslashes that make marks text. */
export const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')
