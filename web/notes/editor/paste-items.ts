import { EditorState, type Text } from '@codemirror/state'
import { readLine } from './list-lines.ts'
import { numberLists } from './list-numbers.ts'
import { isInCode } from './syntax.ts'
import { typed } from './text-edits.ts'

/** Several lines that are pasted into an item with a checkbox become items with checkboxes. */
const pasteItems = EditorState.transactionFilter.of((transaction) => {
  const { startState, changes } = transaction
  if (!transaction.isUserEvent('input.paste')) return transaction
  const pasted: { from: number; to: number; insert: Text }[] = []
  changes.iterChanges((from, to, _newFrom, _newTo, insert) => pasted.push({ from, to, insert }))
  const [only] = pasted
  if (!only || pasted.length > 1 || only.insert.lines === 1) return transaction
  const line = startState.doc.lineAt(only.from)
  const { quote, item, textAt } = readLine(line.text)
  if (!item?.hasCheckbox || only.from < line.from + textAt || isInCode(startState, only.from))
    return transaction
  // A blank first line ends the item that has a text.
  const isBelow =
    only.insert.line(1).text.trim() === '' && startState.sliceDoc(line.from + textAt, only.from).trim() !== ''
  const items = readPasted(only.insert).map(({ indentation, checkbox, text }, index) => {
    if (index === 0 && !isBelow) return text
    const number = item.number === undefined ? '' : item.number + index + Number(isBelow)
    return `${quote}${' '.repeat(item.indentation + indentation)}${number}${item.sign}${item.space}${checkbox}${text}`
  })
  const insert = [...(isBelow ? [''] : []), ...items].join(startState.lineBreak)
  return typed(only.from, only.to, insert, 'input.paste')
})

/** The last filter runs first: pasted lines become items, and then all items are numbered. */
export const listFilters = [numberLists, pasteItems]

/** The lines that are not blank, without marks of lists, and how far inward each is. Ticked checkboxes stay ticked. */
function readPasted(pasted: Text) {
  const lines = [...pasted.iterLines()].filter((line) => line.trim() !== '')
  const read = lines.map((line) => {
    const { quote, item, textAt } = readLine(line)
    const isItem = quote === '' && item !== undefined
    const marks = isItem ? line.slice(0, textAt) : (/^\s*/.exec(line)?.[0] ?? '')
    return {
      indentation: isItem ? item.indentation : marks.length,
      checkbox: /\[[xX]\] $/.test(marks) ? '[x] ' : '[ ] ',
      text: line.slice(marks.length),
    }
  })
  const least = Math.min(...read.map(({ indentation }) => indentation))
  return read.map((line) => ({ ...line, indentation: line.indentation - least }))
}
