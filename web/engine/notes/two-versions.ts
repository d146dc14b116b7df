/** What follows a line that was edited on two devices, of which one version is to be chosen. It reads in every program. */
const [beforeNext, afterLast] = [' *(or the next line)*', ' *(or the line before)*']

/** The mark at the end of a line, if it has one. */
export const markOf = (line: string): string | undefined =>
  [beforeNext, afterLast].find((mark) => shownOf(line).endsWith(mark))

/** A line without its mark. Its Windows line break stays. */
export const unmarked = (line: string) =>
  shownOf(line).slice(0, shownOf(line).length - (markOf(line)?.length ?? 0)) + returnOf(line)

/** A line with a mark at the end of what is shown of it. */
export const marked = (line: string, mark: string) => shownOf(line) + mark + returnOf(line)

const returnOf = (line: string) => (line.endsWith('\r') ? '\r' : '')
const shownOf = (line: string) => line.slice(0, line.length - returnOf(line).length)

/** The mark of a line whose two versions were merged. */
export function mergedMark(base: string, mine: string, theirs: string): string {
  return markOf(markOf(mine) === markOf(base) ? theirs : mine) ?? ''
}

/** Both versions of a line, marked. A version that has a mark already stays one of the versions that it belongs to. */
export function bothVersions(mine: string, theirs: string): string[] {
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
