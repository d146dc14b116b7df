import { changesPerGroup, titleLength } from '#contract/limits.ts'
import { randomId } from '../../api/random-id.ts'

/** `id`: of the task that the line becomes, so that an attempt without an answer adds nothing twice. */
export type Pasted = {
  lines: { id: string; text: string }[]
  /** The text after the first line, as it was pasted. */
  body: string
  /** Whether a line is no title, or there are more of them than can be undone together. */
  isOneOnly: boolean
}

const mark = /^(?:(?:[-*+•]|\d{1,9}[.)])\s+)?(?:\[[ xX]?\]\s+)?/

/** The lines of a pasted text, without the marks of a list. */
export function pastedLines(text: string): Pasted {
  const all = text.replace(/\r\n?/g, '\n').trim().split('\n')
  const titles = all
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.replace(mark, '') || line)
  const isOneOnly =
    titles.length > changesPerGroup || titles.some((title) => [...title].length > titleLength.max)
  // Tasks of the same time are shown by descending id.
  const ids = titles.map(randomId).sort().reverse()
  return {
    lines: titles.map((text, index) => ({ id: ids[index] ?? '', text })),
    body: all.slice(1).join('\n').trim(),
    isOneOnly,
  }
}
