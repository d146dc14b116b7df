import { type Clash, clashes, equalEnds, type LineChange, lineChanges } from './line-changes.ts'
import { mergeWords, pairs } from './line-words.ts'

/**
 * Merges two texts that were made of `base` independently. Changes of different lines are both applied. A line that both
 * changed is merged by words. Where the same words were changed, both versions of the line are kept and marked, `mine` first,
 * so nothing that either side wrote is lost.
 */
export function mergeLines(base: string, mine: string, theirs: string): string {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  const lines = base.split('\n')
  // Not one array: a call cannot have as many arguments as a text has lines.
  const merged: string[][] = []
  let end = 0
  for (const clash of clashes(lineChanges(lines, mine.split('\n')), lineChanges(lines, theirs.split('\n')))) {
    merged.push(lines.slice(end, clash.start), mergedClash(lines, clash))
    end = clash.end
  }
  return [...merged, lines.slice(end)].flat().join('\n')
}

/** The lines that both texts have, in their order: the base of two texts whose own base is not known. */
export function commonLines(one: string, other: string): string {
  const lines = one.split('\n')
  const changed = new Set(
    lineChanges(lines, other.split('\n')).flatMap(({ start, end }) =>
      Array.from({ length: end - start }, (_, index) => start + index),
    ),
  )
  return lines.filter((_, index) => !changed.has(index)).join('\n')
}

/** The lines of a clash with the changes of both sides. */
function mergedClash(lines: string[], clash: Clash): string[] {
  const [mine, theirs] = [sideOf(lines, clash, clash.mine), sideOf(lines, clash, clash.theirs)]
  return mine.flatMap(({ inserted, line }, index) => {
    const other = theirs[index] as SideLine
    const added = withBoth(inserted, other.inserted)
    const base = lines[clash.start + index]
    return index < clash.end - clash.start ? [...added, ...mergedLine(base ?? '', line, other.line)] : added
  })
}

/** A line of the base that both sides may have changed or removed. A change is kept if the other side has removed the line. */
function mergedLine(base: string, mine: string | undefined, theirs: string | undefined): string[] {
  if (mine === theirs || theirs === base) return mine === undefined ? [] : [mine]
  if (mine === base || mine === undefined) return theirs === undefined ? [] : [theirs]
  if (theirs === undefined) return [mine]
  // Nothing was there: both have added a line.
  if (base.trim() === '') return [mine, theirs]
  const merged = mergeWords(unmarked(base), unmarked(mine), unmarked(theirs))
  return merged === undefined ? bothVersions(mine, theirs) : [marked(merged, mergedMark(base, mine, theirs))]
}

/** Inserted lines of both. Lines that both have at the same end are not doubled. */
function withBoth(one: string[], other: string[]): string[] {
  const { head, tail } = equalEnds(one, other)
  return [...one.slice(0, one.length - tail), ...other.slice(head)]
}

/** What one side made of a line of the base, undefined if it has removed it, and the lines that it inserted before. */
type SideLine = { inserted: string[]; line: string | undefined }

/** What one side made of each line of a clash, and at the end what it inserted behind them. */
function sideOf(lines: string[], { start, end }: Clash, changes: LineChange[]): SideLine[] {
  const side: SideLine[] = [...lines.slice(start, end), undefined].map((line) => ({ inserted: [], line }))
  const at = (index: number) => side[index - start] as SideLine
  for (const change of changes) {
    for (let index = change.start; index < change.end; index++) at(index).line = undefined
    let next = 0
    for (const [index, place] of pairs(lines.slice(change.start, change.end), change.lines)) {
      const own = at(change.start + index)
      own.inserted = change.lines.slice(next, place)
      own.line = change.lines[place]
      next = place + 1
    }
    at(change.end).inserted = change.lines.slice(next)
  }
  return side
}

/** What follows a line that was edited on two devices, of which one version is to be chosen. It reads in every program. */
const [beforeNext, afterLast] = [' *(or the next line)*', ' *(or the line before)*']

/** The mark at the end of a line, if it has one. */
export const markOf = (line: string): string | undefined =>
  [beforeNext, afterLast].find((mark) => shownOf(line).endsWith(mark))

/** A line without its mark. Its Windows line break stays. */
export const unmarked = (line: string) =>
  shownOf(line).slice(0, shownOf(line).length - (markOf(line)?.length ?? 0)) + returnOf(line)

/** A line with a mark at the end of what is shown of it. */
const marked = (line: string, mark: string) => shownOf(line) + mark + returnOf(line)

const returnOf = (line: string) => (line.endsWith('\r') ? '\r' : '')
const shownOf = (line: string) => line.slice(0, line.length - returnOf(line).length)

/** The mark of a line whose two versions were merged. */
function mergedMark(base: string, mine: string, theirs: string): string {
  return markOf(markOf(mine) === markOf(base) ? theirs : mine) ?? ''
}

/** Both versions of a line, marked. A version that has a mark already stays one of the versions that it belongs to. */
function bothVersions(mine: string, theirs: string): string[] {
  const last = [mine, theirs].some((line) => markOf(line) === beforeNext) ? beforeNext : afterLast
  return [marked(unmarked(mine), beforeNext), marked(unmarked(theirs), last)]
}

/** The first and the last line of those that a version replaces if it is chosen, and what the line is then. */
export function choiceAt(index: number, lineAt: (index: number) => string | undefined) {
  const isFollowed = (line: string | undefined) => line?.endsWith(beforeNext) === true
  let [first, last] = [index, index]
  while (isFollowed(lineAt(first - 1))) first--
  while (isFollowed(lineAt(last)) && markOf(lineAt(last + 1) ?? '') !== undefined) last++
  return { first, last, line: unmarked(lineAt(index) ?? '') }
}
