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
    merged.push(lines.slice(end, clash.start), bothOf(lines, clash))
    end = clash.end
  }
  return [...merged, lines.slice(end)].flat().join('\n')
}

/** Lines of the base, and the changes of each side that concern them. */
type Clash = { start: number; end: number; mine: LineChange[]; theirs: LineChange[] }

/** Groups the changes of both sides that overlap, and those that insert lines at the same place. */
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

const isInsertion = ({ start, end }: Clash) => start === end

function bothOf(base: string[], { start, end, mine, theirs }: Clash): string[] {
  if (theirs.length === 0) return applied(base, start, end, mine)
  if (mine.length === 0) return applied(base, start, end, theirs)
  const [one, other] = [applied(base, start, end, mine), applied(base, start, end, theirs)]
  // Lines that both sides have at the same end of the clash are not doubled.
  let head = 0
  while (head < one.length && head < other.length && one[head] === other[head]) head++
  let tail = 0
  const maxTail = Math.min(one.length, other.length) - head
  while (tail < maxTail && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++
  return [...one.slice(0, one.length - tail), ...other.slice(head)]
}

function applied(base: string[], start: number, end: number, changes: LineChange[]): string[] {
  const lines: string[][] = []
  let position = start
  for (const change of changes) {
    lines.push(base.slice(position, change.start), change.lines)
    position = change.end
  }
  return [...lines, base.slice(position, end)].flat()
}
