import { type Clash, clashes, equalEnds, type LineChange, lineChanges } from './line-changes.ts'
import { mergeWords, pairs } from './line-words.ts'

/** Merges by lines, then by words. Where both sides changed the same words, both versions are kept and marked, `mine` first. */
export function mergeLines(base: string, mine: string, theirs: string): string {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  const lines = base.split('\n')
  // Nested, because a call cannot have as many arguments as a text has lines.
  const merged: string[][] = []
  let end = 0
  for (const clash of clashes(lineChanges(lines, mine.split('\n')), lineChanges(lines, theirs.split('\n')))) {
    merged.push(lines.slice(end, clash.start), mergedClash(lines, clash))
    end = clash.end
  }
  return [...merged, lines.slice(end)].flat().join('\n')
}

/** The lines that both texts have: the base of two texts whose own base is not known. */
export function commonLines(one: string, other: string): string {
  const lines = one.split('\n')
  const changed = new Set(
    lineChanges(lines, other.split('\n')).flatMap(({ start, end }) =>
      Array.from({ length: end - start }, (_, index) => start + index),
    ),
  )
  return lines.filter((_, index) => !changed.has(index)).join('\n')
}

function mergedClash(lines: string[], clash: Clash): string[] {
  const [mine, theirs] = [sideOf(lines, clash, clash.mine), sideOf(lines, clash, clash.theirs)]
  return mine.flatMap(({ inserted, line }, index) => {
    const other = theirs[index] as SideLine
    const added = withBoth(inserted, other.inserted)
    const base = lines[clash.start + index]
    return index < clash.end - clash.start ? [...added, ...mergedLine(base ?? '', line, other.line)] : added
  })
}

/** A line that both sides may have changed or removed. A changed line is kept if the other side has removed it. */
function mergedLine(base: string, mine: string | undefined, theirs: string | undefined): string[] {
  if (mine === theirs || theirs === base) return mine === undefined ? [] : [mine]
  if (mine === base || mine === undefined) return theirs === undefined ? [] : [theirs]
  if (theirs === undefined) return [mine]
  // The line was blank, so both sides have added one.
  if (base.trim() === '') return [mine, theirs]
  const merged = mergeWords(unmarked(base), unmarked(mine), unmarked(theirs))
  return merged === undefined ? bothVersions(mine, theirs) : [marked(merged, mergedMark(base, mine, theirs))]
}

function withBoth(one: string[], other: string[]): string[] {
  const { head, tail } = equalEnds(one, other)
  return [...one.slice(0, one.length - tail), ...other.slice(head)]
}

/** A line of the base as one side has it, undefined if removed, and the lines that were inserted before it. */
type SideLine = { inserted: string[]; line: string | undefined }

/** Each line of a clash as one side has it, and at the end the lines that were inserted after them. */
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

/** The marks of two versions of a line. A person can read them in every program. */
const [beforeNext, afterLast] = [' *(or the next line)*', ' *(or the line before)*']

export const markOf = (line: string) => [beforeNext, afterLast].find((mark) => shownOf(line).endsWith(mark))

/** A line without its mark, but with its carriage return. */
export const unmarked = (line: string) =>
  shownOf(line).slice(0, shownOf(line).length - (markOf(line)?.length ?? 0)) + returnOf(line)

const marked = (line: string, mark: string) => shownOf(line) + mark + returnOf(line)

const returnOf = (line: string) => (line.endsWith('\r') ? '\r' : '')
const shownOf = (line: string) => line.slice(0, line.length - returnOf(line).length)

function mergedMark(base: string, mine: string, theirs: string): string {
  return markOf(markOf(mine) === markOf(base) ? theirs : mine) ?? ''
}

/** Both versions of a line. A version with a mark stays part of its earlier group. */
function bothVersions(mine: string, theirs: string): string[] {
  const last = [mine, theirs].some((line) => markOf(line) === beforeNext) ? beforeNext : afterLast
  return [marked(unmarked(mine), beforeNext), marked(unmarked(theirs), last)]
}

/** The lines of a group of versions, and the text that remains if this version is chosen. */
export function choiceAt(index: number, lineAt: (index: number) => string | undefined) {
  const isFollowed = (line: string | undefined) => line?.endsWith(beforeNext) === true
  let [first, last] = [index, index]
  while (isFollowed(lineAt(first - 1))) first--
  while (isFollowed(lineAt(last)) && markOf(lineAt(last + 1) ?? '') !== undefined) last++
  return { first, last, line: unmarked(lineAt(index) ?? '') }
}
