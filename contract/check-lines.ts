/** The lines of a text that can be ticked: `- [ ] text`, also in a quote. */

/** `line`: its number, from 0. */
export type CheckLine = { line: number; text: string }

/** `indent`: the characters before its mark. `tick` and `start`: where its tick and its words are in the text. */
type FoundLine = CheckLine & { indent: number; tick: number; start: number; checked: boolean }

const checkLine = /^([\s>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+\[)([ xX])(\][ \t]+)(\S.*?)\r?$/
const fence = /^([\s>]*)(`{3,}(?=[^`]*$)|~{3,})/

export function* checkLinesIn(text: string): Generator<FoundLine> {
  let from = 0
  /** The fence of the code around the line, and the quotes around the code. */
  let open: { fence: string; quotes: number } | undefined
  for (const [line, content] of text.split('\n').entries()) {
    const [opening, marks = '', found = ''] = fence.exec(content) ?? []
    if (open && quotesAround(content) < open.quotes) open = undefined
    if (open) {
      const isEnd = opening !== undefined && found.startsWith(open.fence) && opening === content.trimEnd()
      if (isEnd) open = undefined
    } else if (opening !== undefined) open = { fence: found, quotes: quotesAround(marks) }
    else {
      const [, before = '', mark = '', tick, closing = '', words = ''] = checkLine.exec(content) ?? []
      const at = from + before.length + mark.length
      if (tick !== undefined)
        yield {
          ...{ line, text: words, indent: before.length, checked: tick !== ' ' },
          ...{ tick: at, start: at + 1 + closing.length },
        }
    }
    from += content.length + 1
  }
}

const quotesAround = (line: string) => (/^[\s>]*/.exec(line)?.[0].split('>').length ?? 1) - 1

/** The body with this line ticked or not. A line that has moved is found. If it is no longer there, the result is undefined. */
export function withChecked(body: string, { line, text }: CheckLine, checked: boolean): string | undefined {
  const [place] = [...checkLinesIn(body)]
    .filter((each) => each.text === text)
    .sort((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))
  return place && body.slice(0, place.tick) + (checked ? 'x' : ' ') + body.slice(place.tick + 1)
}
