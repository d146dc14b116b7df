import { type CheckLine, checkLinesIn } from '#contract/check-lines.ts'

export type BodyPart = { start: number; end: number } & (
  | { kind: 'text' }
  | (CheckLine & { kind: 'check'; indent: number; checked: boolean })
)

/** A long body can have sixteen thousand such lines. Only the first ones can be ticked. */
const mostCheckLines = 500

/** The line breaks beside the lines that can be ticked are in no part. */
export function splitAtCheckLines(text: string): BodyPart[] {
  const parts: BodyPart[] = []
  const addText = (start: number, end: number) => start <= end && parts.push({ kind: 'text', start, end })
  let start = 0
  let count = 0
  for (const found of checkLinesIn(text)) {
    if (++count > mostCheckLines) break
    const lineStart = text.lastIndexOf('\n', found.start) + 1
    addText(start, lineStart - 1)
    parts.push({ ...found, kind: 'check', end: found.start + found.text.length })
    const lineEnd = text.indexOf('\n', found.start)
    start = lineEnd < 0 ? text.length + 1 : lineEnd + 1
  }
  addText(start, text.length)
  return parts
}
