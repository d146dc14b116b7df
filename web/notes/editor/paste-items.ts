import { Annotation, EditorState, type Text } from '@codemirror/state'
import { readLine } from './list-lines.ts'
import { numberLists } from './list-numbers.ts'
import { isInCode } from './syntax.ts'
import { typed } from './text-edits.ts'

/** The text of formatted content that will become Markdown. It is inserted unchanged. */
export const asPlain = Annotation.define<true>()

const isBlock = /^[^\S\r\n\u2028\u2029]*(?:#{1,6}\s|>|\||```|~~~)/m

/** Whether Markdown that is pasted after this beginning of a line becomes items. */
export const isOfItems = (before: string, markdown: string): boolean =>
  readLine(before).item !== undefined && !isBlock.test(markdown)

/** Lines that are pasted into an item become items, and one item the text of an empty item. In a quote, lines stay in it. */
const pasteLines = EditorState.transactionFilter.of((transaction) => {
  const { startState, changes } = transaction
  if (!transaction.isUserEvent('input.paste') || transaction.annotation(asPlain)) return transaction
  const pasted: { from: number; to: number; insert: Text }[] = []
  changes.iterChanges((from, to, _newFrom, _newTo, insert) => pasted.push({ from, to, insert }))
  const [only] = pasted
  if (!only || pasted.length > 1) return transaction
  const line = startState.doc.lineAt(only.from)
  const { quote, item, textAt } = readLine(line.text)
  const start = line.from + textAt
  if (only.from < start || isInCode(startState, only.from)) return transaction
  const replaced = (lines: string[]) =>
    typed(only.from, only.to, lines.join(startState.lineBreak), 'input.paste')
  const hasText = startState.sliceDoc(start, only.from).trim() !== ''
  const lines = [...only.insert.iterLines()]
  if (!item || (!item.hasCheckbox && isBlock.test(only.insert.toString())))
    return quote === '' || lines.length === 1
      ? transaction
      : replaced(lines.map((text, index) => (index === 0 ? text : quote + text)))
  if (lines.length === 1 && (hasText || !readLine(lines[0] ?? '').item)) return transaction
  // A blank first line ends an item with text.
  const isBelow = lines[0]?.trim() === '' && hasText
  const items = readPasted(lines).map(({ indentation, checkbox, text }, index) => {
    const box = checkbox ?? (item.hasCheckbox ? '[ ] ' : '')
    if (index === 0 && !isBelow) return (item.hasCheckbox ? '' : box) + text
    const number = item.number === undefined ? '' : item.number + index + Number(isBelow)
    return `${quote}${' '.repeat(item.indentation + indentation)}${number}${item.sign}${item.space}${box}${text}`
  })
  return replaced([...(isBelow ? [''] : []), ...items])
})

/** CodeMirror runs the last filter first: pasted lines become items, which are then numbered. */
export const listFilters = [numberLists, pasteLines]

function readPasted(lines: string[]) {
  const read = lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const { quote, item, textAt } = readLine(line)
      const isItem = quote === '' && item !== undefined
      const marks = isItem ? line.slice(0, textAt) : (/^\s*/.exec(line)?.[0] ?? '')
      return {
        indentation: isItem ? item.indentation : marks.length,
        checkbox: /\[[xX]\] $/.test(marks) ? '[x] ' : /\[ \] $/.test(marks) ? '[ ] ' : undefined,
        text: line.slice(marks.length),
      }
    })
  const least = Math.min(...read.map(({ indentation }) => indentation))
  return read.map((line) => ({ ...line, indentation: line.indentation - least }))
}
