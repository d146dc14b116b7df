import { summaryLength } from './limits.ts'

/** The title and the snippet of a note, which lists show instead of its text. The page loads this file at run time. */
export function summaryOf(text: string): { title: string; snippet: string } {
  const [line = ''] = /\S[^\n\r]*/.exec(text) ?? []
  const rest = text.slice(text.indexOf(line) + line.length)
  return { title: shorten(line.replace(/^#{1,6}\s+/, '')), snippet: shorten(rest) }
}

/** The beginning of a text as one line. */
export function shorten(text: string): string {
  // A code point has at most two units; the rest is space for white space that is not shown.
  const start = text.slice(0, 4 * summaryLength).replace(/[\ud800-\udbff]$/, '')
  return Array.from(start.replace(/\s+/g, ' ').trim()).slice(0, summaryLength).join('').trimEnd()
}
