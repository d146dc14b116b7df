import { diffArrays } from 'diff'

/** The lines from `start` to `end` (exclusive) of one text that are `lines` in another. */
export type LineChange = { start: number; end: number; lines: string[] }

/** A replaced range, in UTF-16 code units. */
type TextChange = { from: number; to: number; insert: string }

/** Beyond this number of edits, the smallest difference is not searched for. That takes a few milliseconds at most. */
const maxEditLength = 400

/** The differences between two lists of lines. Beyond the bound, all lines between the equal ends are one change. */
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

export type Clash = { start: number; end: number; mine: LineChange[]; theirs: LineChange[] }

/** Groups overlapping changes of both sides. `mayTouch`: adjacent changes are separate, except insertions at the same place. */
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

/** The changes, in ascending order, that turn `before` into `after`. Within changed lines only the different parts are replaced. */
export function textChanges(before: string, after: string): TextChange[] {
  if (before === after) return []
  const lines = before.split('\n')
  const starts = startsOf(lines)
  return lineChanges(lines, after.split('\n')).flatMap(({ start, end, lines: inserted }) => {
    const from = starts[start] as number
    const to = starts[end] as number
    const insert = inserted.map((line) => `${line}\n`).join('')
    if (end < lines.length) return narrowed(before, { from, to, insert })
    // The last line has no line break, so its change takes the previous one.
    if (insert === '' || start === lines.length)
      return { from: from - 1, to: before.length, insert: insert && `\n${insert.slice(0, -1)}` }
    return narrowed(before, { from, to: before.length, insert: insert.slice(0, -1) })
  })
}

/** Maps a position through the changes. A position inside a replaced range moves to its end. */
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

/** Splits a change around a part that both texts have. So a title stays when a line becomes a link, or a link a line. */
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

const longestSearched = 1000

/** The longest part that is at opposite ends of the two texts, or one of them as a whole. */
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

function startsOf(lines: string[]): number[] {
  const starts = [0]
  for (const [index, line] of lines.entries()) starts.push((starts[index] as number) + line.length + 1)
  return starts
}

/** The numbers of equal elements at the beginning of both, and at the end of the rest. */
export function equalEnds(one: ArrayLike<string>, other: ArrayLike<string>): { head: number; tail: number } {
  const most = Math.min(one.length, other.length)
  let [head, tail] = [0, 0]
  while (head < most && one[head] === other[head]) head++
  while (tail < most - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++
  return { head, tail }
}
