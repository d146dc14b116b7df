import type { LineChange } from './line-changes.ts'

/** Lines of the base, and the changes of each side that concern them. */
export type Clash = { start: number; end: number; mine: LineChange[]; theirs: LineChange[] }

/**
 * Groups the changes of both sides that overlap, and lines that are inserted where a change of the other side begins. `mayTouch`:
 * whether a change that begins where another one ends is not of its group.
 */
export function clashes(mine: LineChange[], theirs: LineChange[], mayTouch = true): Clash[] {
  const all = [
    ...mine.map((change) => ({ side: 'mine' as const, change })),
    ...theirs.map((change) => ({ side: 'theirs' as const, change })),
  ].sort((one, other) => one.change.start - other.change.start || one.change.end - other.change.end)
  const groups: Clash[] = []
  for (const { side, change } of all) {
    let group = groups.at(-1)
    const overlaps =
      group &&
      (mayTouch
        ? change.start < group.end || (change.start === group.start && isInsertion(group))
        : change.start <= group.end)
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
