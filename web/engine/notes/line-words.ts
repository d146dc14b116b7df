import { clashes, equalEnds, type LineChange, lineChanges } from './line-changes.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

const partsOf = (line: string) => Array.from(segmenter.segment(line), ({ segment }) => segment)

/** Merges two versions of a line by words. Undefined if different changes of both sides overlap or touch. */
export function mergeWords(base: string, mine: string, theirs: string): string | undefined {
  const parts = partsOf(base)
  const changes = clashes(lineChanges(parts, partsOf(mine)), lineChanges(parts, partsOf(theirs)), false)
  let [merged, end] = ['', 0]
  for (const clash of changes) {
    if (clash.mine.length > 0 && clash.theirs.length > 0 && !areSame(clash.mine, clash.theirs)) return
    const [change] = [...clash.mine, ...clash.theirs]
    merged += parts.slice(end, clash.start).join('') + (change?.lines.join('') ?? '')
    end = clash.end
  }
  return merged + parts.slice(end).join('')
}

const areSame = ([one, ...more]: LineChange[], [other, ...others]: LineChange[]) =>
  more.length + others.length === 0 &&
  one?.start === other?.start &&
  one?.end === other?.end &&
  one?.lines.join('') === other?.lines.join('')

type Line = { words: string[]; text: string }

const lineOf = (text: string): Line => ({ words: partsOf(text), text })

/** Above this product of their numbers, lines are paired by their order. */
const mostCompared = 10_000

/** Pairs old lines with new ones by index, in ascending order: as many as possible, and those with the most in common. */
export function pairs(before: string[], after: string[]): [number, number][] {
  const [rows, columns] = [before.length, after.length]
  if (rows * columns === 1) return [[0, 0]]
  if (rows * columns > mostCompared)
    return Array.from({ length: Math.min(rows, columns) }, (_, index) => [index, index])
  const [old, now] = [before.map(lineOf), after.map(lineOf)]
  const best = Array.from({ length: rows + 1 }, () => new Array<number>(columns + 1).fill(0))
  const bestAt = (row: number, column: number) => best[row]?.[column] ?? 0
  const paired = (row: number, column: number) =>
    likeness(old[row] as Line, now[column] as Line) + bestAt(row + 1, column + 1)
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      (best[row] as number[])[column] = Math.max(
        paired(row, column),
        bestAt(row + 1, column),
        bestAt(row, column + 1),
      )
  const found: [number, number][] = []
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (paired(row, column) === bestAt(row, column)) found.push([row++, column++])
    else if (bestAt(row + 1, column) === bestAt(row, column)) row++
    else column++
  }
  return found
}

/** Equal characters at both ends; whole words count more. At least 1, so that different lines are paired too. */
function likeness(one: Line, other: Line): number {
  const [words, characters] = [equalEnds(one.words, other.words), equalEnds(one.text, other.text)]
  const equalWords = [...one.words.slice(0, words.head), ...one.words.slice(one.words.length - words.tail)]
  return 2 * equalWords.join('').length + characters.head + characters.tail + 1
}
