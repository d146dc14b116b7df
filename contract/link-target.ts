import type { Range } from './ranges.ts'

/** What follows the label of a link: where it leads, and perhaps a title, both without their marks. */
type LinkTarget = { to: number; destination: Range; title: Range | undefined }

const space = String.raw`[ \t\n\r]`
const bareWith = (pairs: string) => String.raw`(?:\\\S|[^\s\\()\p{Cc}]${pairs})*`
const pairsOf = (inside: string) => String.raw`|\(${inside}\)`
/** Parentheses in it are in pairs, two levels deep. */
const bare = bareWith(pairsOf(bareWith(pairsOf(bareWith('')))))
const title = String.raw`"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\((?:\\[^]|[^()\\])*\)`

const target = new RegExp(
  String.raw`\(${space}*(?!${space})(?:<(?<enclosed>(?:\\.|[^<>\\\n])*)>|(?!<)(?<bare>${bare}))` +
    String.raw`(?:${space}+(?<title>${title}))?${space}*\)`,
  'duy',
)

/** Reads `(destination "title")` at an index of a text, as CommonMark defines it. */
export function linkTargetAt(text: string, index: number): LinkTarget | undefined {
  target.lastIndex = index
  const { enclosed, bare, title } = target.exec(text)?.indices?.groups ?? {}
  const found = enclosed ?? bare
  if (!found) return
  const range = ([from, to]: [number, number], marks: number) => ({ from: from + marks, to: to - marks })
  return { to: target.lastIndex, destination: range(found, 0), title: title && range(title, 1) }
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
