import type { EditorState, Line, Text } from '@codemirror/state'

const prefix = /^((?: {0,3}> ?)*)(?:(\s*)(?:([-*+])|(\d{1,9})([.)]))( +)(\[[ xX]\] )?)?/

export type ListItem = {
  indentation: number
  /** `-`, `*` or `+`, or after a number `.` or `)`. All items of a list have the same. */
  sign: string
  number: number | undefined
  /** The column of its text or checkbox after the quote's marks. Lines with this indentation belong to it. */
  column: number
  space: string
  hasCheckbox: boolean
}

type ListLine = {
  quote: string
  item: ListItem | undefined
  textAt: number
}

export function readLine(text: string): ListLine {
  const [marks = '', quote = '', indentation = '', bullet, number, delimiter, space = '', checkbox] =
    prefix.exec(text) ?? []
  const sign = bullet ?? delimiter
  const item = sign && {
    indentation: indentation.length,
    sign,
    number: number === undefined ? undefined : Number(number),
    column: marks.length - quote.length - (checkbox?.length ?? 0),
    space,
    hasCheckbox: checkbox !== undefined,
  }
  return { quote, item: item || undefined, textAt: marks.length }
}

/** The nearest item above a line in the same list, with this indentation at most. */
export function itemAbove(doc: Text, line: Line, quote: string, maxIndentation: number) {
  for (let number = line.number - 1; number > 0; number--) {
    const above = doc.line(number)
    const read = readLine(above.text)
    if (read.quote !== quote) return undefined
    if (read.item && read.item.indentation <= maxIndentation) return { ...read.item, line: above }
    if (!read.item && /^\S/.test(above.text.slice(quote.length))) return undefined
  }
  return undefined
}

export function selectedLines({ doc, selection }: EditorState): Line[] {
  const lines = new Map<number, Line>()
  for (const { from, to, empty } of selection.ranges) {
    const last = doc.lineAt(to)
    const end = !empty && to === last.from ? last.number - 1 : last.number
    for (let number = doc.lineAt(from).number; number <= end; number++) lines.set(number, doc.line(number))
  }
  return [...lines.values()]
}
