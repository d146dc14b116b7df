import { type ChangeSpec, EditorState, type Line, type Text, type Transaction } from '@codemirror/state'
import { itemAbove, type ListItem, readLine } from './list-lines.ts'
import { isInCode } from './syntax.ts'

/** Renumbers changed lists in the same transaction, so that one undo takes both back. Lists that repeat one number stay. */
export const numberLists = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || !changesLines(transaction)) return transaction
  const changes = renumbering(transaction)
  return changes.length > 0 ? [transaction, { changes, sequential: true }] : transaction
})

function changesLines(transaction: Transaction): boolean {
  const { startState, changes } = transaction
  if (['input.indent', 'delete.mark', 'move'].some((event) => transaction.isUserEvent(event))) return true
  if (!transaction.isUserEvent('input') && !transaction.isUserEvent('delete')) return false
  let isOtherLine = false
  changes.iterChanges((from, to, _newFrom, _newTo, insert) => {
    isOtherLine ||= insert.lines > 1 || startState.doc.lineAt(from).to < to
  })
  return isOtherLine
}

function renumbering(transaction: Transaction): ChangeSpec[] {
  const { newDoc, startState, changes } = transaction
  const found: ChangeSpec[] = []
  let read = 0
  changes.iterChangedRanges((from, _to, newFrom, newTo) => {
    const line = newDoc.lineAt(newFrom)
    if (line.number <= read || isInCode(startState, from)) return
    const { quote } = readLine(line.text)
    const first = firstOfBlock(newDoc, quote, line.number)
    const last = newDoc.lineAt(newTo).number
    read = numberBlock(transaction, quote, first, last, found)
  })
  return found
}

const isBlank = (text: string, quote: string) => text.slice(quote.length).trim() === ''

function endsLists(text: string, quote: string, isAfterBlank: boolean): boolean {
  if (!text.startsWith(quote.trimEnd())) return true
  const inside = text.slice(quote.length)
  return isAfterBlank ? /^\S/.test(inside) && !readLine(text).item : /^(?:#{1,6} |```|~~~|>)/.test(inside)
}

function firstOfBlock(doc: Text, quote: string, number: number): number {
  let first = number
  while (first > 1) {
    const { text } = doc.line(first)
    const isAfterBlank = isBlank(doc.line(first - 1).text, quote)
    if (!isBlank(text, quote) && endsLists(text, quote, isAfterBlank)) break
    first -= 1
  }
  return first
}

type NumberedList = {
  indentation: number
  sign: string
  /** Lines with this indentation belong to its last item. */
  column: number
  next: number
  numbers: number[]
  added: { from: number; to: number }[]
  /** By how many characters the number of its last item becomes longer. */
  growth: number
  changes: ChangeSpec[]
}

/** Numbers the lists between two lines and to their ends. Returns the number of the last line that was read. */
function numberBlock(
  transaction: Transaction,
  quote: string,
  first: number,
  last: number,
  found: ChangeSpec[],
): number {
  const { newDoc: doc, startState, changes } = transaction
  const inverse = changes.invertedDesc
  const open: NumberedList[] = []
  const close = (isClosed: (list: NumberedList) => boolean) => {
    for (let list = open.at(-1); list && isClosed(list); list = open.at(-1)) {
      open.pop()
      const { numbers, added, changes } = list
      const isSame = numbers.length > 1 && numbers.every((number) => number === numbers[0])
      found.push(...(isSame ? added.map((place) => ({ ...place, insert: String(numbers[0]) })) : changes))
    }
  }
  let isAfterBlank = false
  let number = first
  for (; number <= doc.lines; number++) {
    const line = doc.line(number)
    if (isBlank(line.text, quote)) {
      isAfterBlank = true
      continue
    }
    if (endsLists(line.text, quote, isAfterBlank)) {
      close(() => true)
      if (number > last) break
    }
    isAfterBlank = false
    const from = line.from + quote.length
    const indentation = /^\s*/.exec(line.text.slice(quote.length))?.[0].length ?? 0
    const { item } = isInCode(startState, inverse.mapPos(line.from, 1)) ? {} : readLine(line.text)
    if (item) {
      // As in Markdown, an item that is less indented than the text of the outer item belongs to the outer list.
      close(() => indentation < (open.at(-2)?.column ?? 0))
      close((list) => indentation < list.column && list.sign !== item.sign)
    }
    for (const { column, growth, changes } of open) {
      if (indentation < column || growth === 0) continue
      changes.push(growth > 0 ? { from, insert: ' '.repeat(growth) } : { from, to: from - growth })
    }
    if (!item) continue
    let list = open.at(-1)
    if (!list || indentation >= list.column) {
      const next =
        item.number === undefined ? 0 : firstNumber(transaction, line, quote, item, list !== undefined)
      list = { ...item, next, numbers: [], added: [], growth: 0, changes: [] }
      open.push(list)
    }
    list.column = item.column
    if (item.number === undefined) continue
    const [old, next] = [String(item.number), String(list.next)]
    const at = from + indentation
    if (old !== next) list.changes.push({ from: at, to: at + old.length, insert: next })
    list.growth = next.length - old.length
    if (isFromBefore(transaction, line, indentation)) list.numbers.push(item.number)
    else list.added.push({ from: at, to: at + old.length })
    list.next += 1
  }
  close(() => true)
  return number
}

/** Whether an item had this indentation before, or was pasted. */
function isFromBefore(transaction: Transaction, { from }: Line, indentation: number): boolean {
  if (transaction.isUserEvent('input.paste')) return true
  const at = transaction.changes.invertedDesc.mapPos(from, 1)
  const old = transaction.startState.doc.lineAt(at)
  return old.from === at && readLine(old.text).item?.indentation === indentation
}

/** A moved item keeps the first number of its list, or its own behind an insertion. A new nested list begins with 1. */
function firstNumber(
  transaction: Transaction,
  line: Line,
  quote: string,
  { indentation, number = 1 }: ListItem,
  isNested: boolean,
) {
  const { doc } = transaction.startState
  const old = doc.lineAt(transaction.changes.invertedDesc.mapPos(line.from, -1))
  const { item } = readLine(old.text)
  if (item?.number === undefined || item.indentation !== indentation)
    return !isNested || transaction.isUserEvent('input.paste') ? number : 1
  let first = { line: old, number: item.number }
  for (;;) {
    const above = itemAbove(doc, first.line, quote, indentation)
    if (above?.number === undefined || above.indentation < indentation) return first.number
    const now = transaction.newDoc.lineAt(transaction.changes.mapPos(above.line.from, 1))
    if (now.number < line.number && readLine(now.text).item?.indentation === indentation) return number
    first = { line: above.line, number: above.number }
  }
}
