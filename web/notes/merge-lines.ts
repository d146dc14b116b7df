import { type LineChange, lineChanges } from './line-changes.ts'

/**
 * Merges two texts that were made of `base` independently. Changes of different lines are both applied. Where the same
 * lines were changed, both versions of them are kept, `mine` first, so no line that either side wrote is lost.
 */
export function mergeLines(base: string, mine: string, theirs: string): string {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  const lines = base.split('\n')
  // Not one array: a call cannot have as many arguments as a text has lines.
  const merged: string[][] = []
  let end = 0
  for (const clash of clashes(lineChanges(lines, mine.split('\n')), lineChanges(lines, theirs.split('\n')))) {
    merged.push(lines.slice(end, clash.start), bothOf(clash))
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

/** Lines of the base, and the changes of each side that concern them. */
type Clash = { start: number; end: number; mine: LineChange[]; theirs: LineChange[] }

/** Groups the changes of both sides that overlap, and lines that are inserted where a change of the other side begins. */
function clashes(mine: LineChange[], theirs: LineChange[]): Clash[] {
  const all = [
    ...mine.map((change) => ({ side: 'mine' as const, change })),
    ...theirs.map((change) => ({ side: 'theirs' as const, change })),
  ].sort((one, other) => one.change.start - other.change.start || one.change.end - other.change.end)
  const groups: Clash[] = []
  for (const { side, change } of all) {
    let group = groups.at(-1)
    const overlaps =
      group && (change.start < group.end || (change.start === group.start && isInsertion(group)))
    if (!group || !overlaps) {
      group = { start: change.start, end: change.end, mine: [], theirs: [] }
      groups.push(group)
    }
    group[side].push(change)
    group.end = Math.max(group.end, change.end)
  }
  return groups
}

const isInsertion = ({ start, end }: { start: number; end: number }) => start === end

/**
 * The lines that both sides wrote. Each line of the base here was changed by one of them at least, so none of these stays: an early
 * form of a line would be kept beside the complete one.
 */
function bothOf({ mine, theirs }: Clash): string[] {
  const [one, other] = isBefore(theirs, mine)
    ? [linesOf(theirs), linesOf(mine)]
    : [linesOf(mine), linesOf(theirs)]
  // Lines that both sides have at the same end of the clash are not doubled.
  const length = Math.min(one.length, other.length)
  const maxHead = mine[0]?.start === theirs[0]?.start ? length : 0
  let head = 0
  while (head < maxHead && one[head] === other[head]) head++
  const maxTail = mine.at(-1)?.end === theirs.at(-1)?.end ? length - head : 0
  let tail = 0
  while (tail < maxTail && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++
  return [...one.slice(0, one.length - tail), ...other.slice(head)]
}

const linesOf = (changes: LineChange[]) => changes.flatMap(({ lines }) => lines)

/** Whether the first changes come first. Changes that begin earlier do, and lines inserted before a changed line. */
function isBefore([one]: LineChange[], [other]: LineChange[]): boolean {
  if (!one || !other) return false
  return one.start < other.start || (one.start === other.start && isInsertion(one) && !isInsertion(other))
}
