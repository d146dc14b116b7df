import { isBlank } from '#contract/blank.ts'
import { changesPerGroup, titleLength } from '#contract/limits.ts'
import { randomId } from '../../engine/entry.ts'

/** `id`: of the task that the line becomes, so that an attempt without an answer adds nothing twice. `isDone`: its box is ticked. */
type Pasted = {
  lines: { id: string; text: string; isDone: boolean }[]
  /** The text after the first line, as it was pasted. */
  body: string
  /** Whether a line is no title, or there are more of them than can be undone together. */
  isOneOnly: boolean
}

const mark = /^(?:[-*+•]\s+)?(?:\[([ xX]?)\]\s+)?/
const number = /^(\d{1,9})[.)]\s+/

const numberOf = (line: string | undefined) => Number(number.exec(line ?? '')?.[1])

/** Numbers of a list count from 1 or are all 1. Others are text, as in `3. Advent`, as are those that alone distinguish two lines. */
function withoutNumbers(lines: readonly string[]): string[] {
  const numbered = lines.filter((line) => number.test(line))
  const isCounted = (step: number) => numbered.every((line, index) => numberOf(line) === 1 + index * step)
  const texts = numbered.map((line) => line.replace(number, ''))
  const isList = numbered.length > 1 && (isCounted(1) || isCounted(0)) && new Set(texts).size === texts.length
  return isList ? lines.map((line) => line.replace(number, '')) : [...lines]
}

export function pastedLines(text: string): Pasted {
  const all = text.replace(/\r\n?/g, '\n').trim().split('\n')
  const lines = withoutNumbers(all.map((line) => line.trim()).filter((line) => !isBlank(line)))
  const marks = lines.map((line) => mark.exec(line) ?? [''])
  const titles = lines.map((line, index) => {
    const title = line.slice(marks[index]?.[0]?.length)
    return isBlank(title) ? line : title
  })
  const isOneOnly =
    titles.length > changesPerGroup || titles.some((title) => [...title].length > titleLength.max)
  // Tasks of the same time are shown by descending id.
  const ids = titles.slice(0, changesPerGroup).map(randomId).sort().reverse()
  return {
    lines: titles.map((text, index) => ({
      id: ids[index] ?? '',
      text,
      isDone: /x/i.test(marks[index]?.[1] ?? ''),
    })),
    body: all.slice(1).join('\n').trim(),
    isOneOnly,
  }
}

const linesIn = (text: string) => text.split(/\r\n?|\n/).filter((line) => !isBlank(line))

const item = /^\s*(?:[-*+•]|\d{1,9}[.)])\s+\S/u
const heading = /^#{1,6}\s+\S/

/** A table of a spreadsheet, or a list in Markdown with lists inside, is more than a task a line. */
export function isTableOrNested(text: string): boolean {
  // A cell that has lines is in quotation marks.
  const cells = text.replace(/(^|\t|\n)"(?:[^"]|"")*"(?=\t|\r|\n|$)/g, '$1""')
  const tabs = linesIn(cells).map((line) => line.split('\t').length - 1)
  const isTable = tabs.length > 1 && Number(tabs[0]) > 0 && tabs.every((count) => count === tabs[0])
  const lines = linesIn(text)
  const isList = [item, heading].some((pattern) => pattern.test(lines[0] ?? ''))
  const [first, ...widths] = lines.filter((line) => item.test(line)).map((line) => line.search(/\S/))
  const isInside = first !== undefined && widths.some((width) => width > first)
  return isTable || (isList && isInside)
}
