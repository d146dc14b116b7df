import { Annotation, EditorState, type Text } from '@codemirror/state'
import { readLine } from './list-lines.ts'
import { numberLists } from './list-numbers.ts'
import { isInCode } from './syntax.ts'
import { typed } from './text-edits.ts'

/** Of formatted text that is still to become Markdown: it is inserted as it is. */
export const asPlain = Annotation.define<true>()

/** Lines of other blocks, which an item cannot have as items. */
const isBlock = /^[^\S\r\n\u2028\u2029]*(?:#{1,6}\s|>|\||```|~~~)/m

/** Whether Markdown that is pasted behind this beginning of a line becomes items. */
export const isOfItems = (before: string, markdown: string): boolean =>
  readLine(before).item !== undefined && !isBlock.test(markdown)

/**
 * What is pasted into an item: several lines become items, and a single item becomes the text of an empty one. Lines that are pasted into
 * a quote stay in it.
 */
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
  // A blank first line ends the item that has a text.
  const isBelow = lines[0]?.trim() === '' && hasText
  const items = readPasted(lines).map(({ indentation, checkbox, text }, index) => {
    const box = checkbox ?? (item.hasCheckbox ? '[ ] ' : '')
    if (index === 0 && !isBelow) return (item.hasCheckbox ? '' : box) + text
    const number = item.number === undefined ? '' : item.number + index + Number(isBelow)
    return `${quote}${' '.repeat(item.indentation + indentation)}${number}${item.sign}${item.space}${box}${text}`
  })
  return replaced([...(isBelow ? [''] : []), ...items])
})

/** The last filter runs first: pasted lines become items, and then all items are numbered. */
export const listFilters = [numberLists, pasteLines]

/** The lines that are not blank, without marks of lists, their checkboxes, and how far inward each is. */
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
