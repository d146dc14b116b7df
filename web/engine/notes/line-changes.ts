import { diffArrays } from 'diff'

/** Lines from `start` up to `end`, exclusive, of one text that are `lines` in another one. */
export type LineChange = { start: number; end: number; lines: string[] }

/** A range of a text that is replaced, in UTF-16 code units. */
type TextChange = { from: number; to: number; insert: string }

/** The number of line edits up to which the smallest difference is searched for. It bounds the time to a few milliseconds. */
const maxEditLength = 400

/** The differences between two texts, line by line. Beyond the bound, everything between their common ends is one change. */
export function lineChanges(before: string[], after: string[]): LineChange[] {
  const { head, tail } = equalEnds(before, after)
  const [old, now] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  const parts = diffArrays(old, now, { maxEditLength })
  if (!parts) return [{ start: head, end: head + old.length, lines: now }]

  const changes: LineChange[] = []
  let position = head
  for (const { added, removed, value } of parts) {
    const last = changes.at(-1)
    const change = last?.end === position ? last : { start: position, end: position, lines: [] }
    if (added) change.lines = change.lines.concat(value)
    else position += value.length
    if (removed) change.end = position
    if ((added || removed) && change !== last) changes.push(change)
  }
  return changes
}

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

/** The changes, in ascending order, that make `after` of `before`; within a changed run of lines only the different parts. */
export function textChanges(before: string, after: string): TextChange[] {
  if (before === after) return []
  const lines = before.split('\n')
  const starts = startsOf(lines)
  return lineChanges(lines, after.split('\n')).flatMap(({ start, end, lines: inserted }) => {
    const from = starts[start] as number
    const to = starts[end] as number
    const insert = inserted.map((line) => `${line}\n`).join('')
    if (end < lines.length) return narrowed(before, { from, to, insert })
    // The last line has no line break: its change takes the one before it.
    if (insert === '' || start === lines.length)
      return { from: from - 1, to: before.length, insert: insert && `\n${insert.slice(0, -1)}` }
    return narrowed(before, { from, to: before.length, insert: insert.slice(0, -1) })
  })
}

/** Where a position is after the changes. A position inside a replaced range moves to its end. */
export function mapPosition(position: number, changes: TextChange[]): number {
  let shift = 0
  for (const { from, to, insert } of changes) {
    if (from > position || (from === position && to > from)) break
    shift += to <= position ? insert.length - (to - from) : from + insert.length - position
    if (to > position) break
  }
  return position + shift
}

export function applyChanges(text: string, changes: TextChange[]): string {
  let [result, end] = ['', 0]
  for (const { from, to, insert } of changes) {
    result += text.slice(end, from) + insert
    end = to
  }
  return result + text.slice(end)
}

function narrowed(text: string, { from, to, insert }: TextChange): TextChange[] {
  const { head, tail } = equalEnds(text.slice(from, to), insert)
  return aroundKept(text, {
    from: from + head,
    to: to - tail,
    insert: insert.slice(head, insert.length - tail),
  })
}

/**
 * Two changes, if the part between them is in both texts. So a line that becomes a link keeps its title, and a link that
 * becomes a line too.
 */
function aroundKept(text: string, { from, to, insert }: TextChange): TextChange[] {
  const removed = text.slice(from, to)
  const kept = keptPart(removed, insert)
  if (kept === '') return [{ from, to, insert }]
  const [old, now] = [removed.indexOf(kept), insert.indexOf(kept)]
  return [
    { from, to: from + old, insert: insert.slice(0, now) },
    { from: from + old + kept.length, to, insert: insert.slice(now + kept.length) },
  ].filter((change) => change.to > change.from || change.insert !== '')
}

/** Searching in longer texts would take time. */
const longestSearched = 1000

/** The longest part that is at an end of each text, or all of one of them. */
function keptPart(one: string, other: string): string {
  if (one === '' || other === '' || Math.max(one.length, other.length) > longestSearched) return ''
  if (one.includes(other)) return other
  if (other.includes(one)) return one
  for (let length = Math.min(one.length, other.length) - 1; length > 0; length--) {
    if (one.endsWith(other.slice(0, length))) return other.slice(0, length)
    if (other.endsWith(one.slice(0, length))) return one.slice(0, length)
  }
  return ''
}

/** Where each line begins, and where one after the last would. */
function startsOf(lines: string[]): number[] {
  const starts = [0]
  for (const [index, line] of lines.entries()) starts.push((starts[index] as number) + line.length + 1)
  return starts
}

/** How many characters or elements are equal at the beginning of both, and behind these at the end. */
export function equalEnds(one: ArrayLike<string>, other: ArrayLike<string>): { head: number; tail: number } {
  const most = Math.min(one.length, other.length)
  let [head, tail] = [0, 0]
  while (head < most && one[head] === other[head]) head++
  while (tail < most - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++
  return { head, tail }
}
