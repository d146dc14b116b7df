import { type CheckLine, checkLinePattern } from '../../store/ticked-body.ts'

/** A part of a body: text, or one line that can be ticked and where its text begins. */
export type BodyPart = { start: number; end: number } & (
  | { kind: 'text' }
  | (CheckLine & { kind: 'check'; indent: number; checked: boolean })
)

/** A body of a hundred thousand characters can have sixteen thousand such lines; those after these are text. */
const mostCheckLines = 500

/** Splits a text at its lines that can be ticked. The line breaks beside those are in no part. */
export function splitAtCheckLines(text: string): BodyPart[] {
  const parts: BodyPart[] = []
  let [start, found] = [0, 0]
  for (const [line, content] of text.split('\n').entries()) {
    const end = start + content.length
    const match = found < mostCheckLines ? checkLinePattern.exec(content) : null
    const last = parts.at(-1)
    if (match) {
      const [, indent = '', opening = '', tick = '', closing = '', words = ''] = match
      const textStart = start + indent.length + opening.length + tick.length + closing.length
      parts.push({
        kind: 'check',
        line,
        text: words,
        indent: indent.length,
        checked: tick !== ' ',
        start: textStart,
        end: textStart + words.length,
      })
      found++
    } else if (last?.kind === 'text') last.end = end
    else parts.push({ kind: 'text', start, end })
    start = end + 1
  }
  return parts
}
