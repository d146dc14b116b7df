import { firstVisible, isBlank } from './blank.ts'
import { summaryLength } from './limits.ts'

/** The title and the snippet of a note, which lists show instead of its text. */
export function summaryOf(text: string): { title: string; snippet: string } {
  const first = Math.max(0, firstVisible(text))
  const start = Math.max(text.lastIndexOf('\n', first), text.lastIndexOf('\r', first)) + 1
  const [line = ''] = /[^\n\r]*/.exec(text.slice(start)) ?? []
  const title = line.trimStart().replace(/^#{1,6}\s+/, '')
  return { title: shown(title), snippet: shown(text.slice(start + line.length)) }
}

const shown = (text: string) => (isBlank(text) ? '' : shorten(text))

/** The beginning of a text as one line. */
export function shorten(text: string): string {
  // A code point has at most two units; the rest is space for white space that is not shown.
  const start = text.slice(0, 4 * summaryLength).replace(/[\ud800-\udbff]$/, '')
  return Array.from(start.replace(/\s+/g, ' ').trim()).slice(0, summaryLength).join('').trimEnd()
}
