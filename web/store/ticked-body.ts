/** A line of a body that can be ticked: `- [ ] text`. `line` is its number, from 0. */
export type CheckLine = { line: number; text: string }

/** Its groups: indent, opening, tick, closing, words, the end of the line. */
export const checkLinePattern = /^(\s*)((?:[-*+]|\d{1,9}[.)])[ \t]+\[)([ xX])(\][ \t]+)(\S.*?)(\r?)$/

/** The body with this line ticked or not. A line that has moved is found. If it is no longer there, the result is undefined. */
export function withChecked(body: string, { line, text }: CheckLine, checked: boolean): string | undefined {
  const lines = body.split('\n')
  const [place] = [...lines.keys()]
    .filter((index) => checkLinePattern.exec(lines[index] ?? '')?.[5] === text)
    .sort((one, other) => Math.abs(one - line) - Math.abs(other - line))
  if (place === undefined) return
  const ticked = (lines[place] ?? '').replace(checkLinePattern, `$1$2${checked ? 'x' : ' '}$4$5$6`)
  return lines.with(place, ticked).join('\n')
}
