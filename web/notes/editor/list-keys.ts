import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type Line,
  type StateCommand,
} from '@codemirror/state'
import { type Command, EditorView, type KeyBinding } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { itemAbove, type ListItem, readLine, selectedLines } from './list-lines.ts'
import { codeAt, isInCode, nodeAround } from './syntax.ts'
import { typed } from './text-edits.ts'

const nextMark = ({ indentation, sign, number, space, hasCheckbox }: ListItem) =>
  `${' '.repeat(indentation)}${number === undefined ? '' : number + 1}${sign}${space}${hasCheckbox ? '[ ] ' : ''}`

/** Enter continues a list, a quote and their code. On an item without text it leaves the level of the item. */
const continueBlock: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.from)
  if (ranges.length > 1 || main.from === line.from) return false
  const insertLine = (from: number, mark: string) =>
    dispatch(state.update(typed(from, Math.max(from, main.to), state.lineBreak + mark, 'input')))

  const code = codeAt(state, main.from)
  if (code) {
    const mark = codeMark(line, code)
    if (mark === undefined) return false
    insertLine(main.from, mark)
    return true
  }
  const { quote, item, textAt } = readLine(line.text)
  if (textAt === 0) return false
  if (main.empty && line.text.slice(textAt).trim() === '') {
    dispatch(state.update(typed(line.from, line.to, outsideMark(state, line), 'input')))
  } else {
    // In a mark, the line is divided after the mark.
    insertLine(Math.max(main.from, line.from + textAt), quote + (item ? nextMark(item) : ''))
  }
  return true
}

/** The beginning of a new line of code in a list or a quote. CodeMirror keeps the indentation of other code. */
function codeMark(line: Line, code: SyntaxNode): string | undefined {
  const { quote, item } = readLine(line.text)
  if (code.name === 'FencedCode' && code.from > line.from && item) return quote + ' '.repeat(item.column)
  if (!nodeAround(code, 'Blockquote')) return undefined
  return quote + (/^\s*/.exec(line.text.slice(quote.length))?.[0] ?? '')
}

function outsideMark({ doc }: EditorState, line: Line): string {
  const { quote, item } = readLine(line.text)
  if (!item) return quote.replace(/> ?$/, '')
  const outside = item.indentation > 0 ? itemAbove(doc, line, quote, item.indentation - 1) : undefined
  return quote + (outside ? nextMark(outside) : '')
}

/** Tab and Shift+Tab move the selected list items by one level. Without items, Tab moves the focus. */
export const indentItems =
  (isOutward: boolean): StateCommand =>
  ({ state, dispatch }) => {
    const lines = selectedLines(state).map((line) => ({ line, ...readLine(line.text) }))
    const first = lines.find(({ item }) => item && (!isOutward || item.indentation > 0))
    if (!first?.item || isInCode(state, first.line.to)) return false
    const step = (isOutward ? outwardStep : inwardStep)(state, first.line, first.quote, first.item)
    const changes = lines.flatMap(({ line, quote }): ChangeSpec[] => {
      const from = line.from + quote.length
      const inside = line.text.slice(quote.length)
      if (inside.trim() === '') return []
      const spaces = /^\s*/.exec(inside)?.[0].length ?? 0
      return [isOutward ? { from, to: from + Math.min(step, spaces) } : { from, insert: ' '.repeat(step) }]
    })
    dispatch(state.update({ changes, userEvent: 'input.indent' }))
    return true
  }

function outwardStep({ doc }: EditorState, line: Line, quote: string, { indentation }: ListItem): number {
  const above = itemAbove(doc, line, quote, indentation - 1)
  return indentation - (above?.indentation ?? Math.max(0, indentation - 2))
}

/** 0 if the item is already one level below the previous one. */
function inwardStep({ doc }: EditorState, line: Line, quote: string, { indentation }: ListItem): number {
  const above = itemAbove(doc, line, quote, indentation)
  return Math.max(0, (above?.column ?? 2) - indentation)
}

const removeMark: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.head)
  const { quote, item, textAt } = readLine(line.text)
  const isBehind = textAt > 0 && main.head === line.from + textAt
  if (!main.empty || ranges.length > 1 || !isBehind || isInCode(state, main.head)) return false
  const before = item ? quote.length + item.indentation : quote.replace(/> ?$/, '').length
  const changes = { from: line.from + before, to: main.head }
  dispatch(state.update({ changes, scrollIntoView: true, userEvent: 'delete.mark' }))
  return true
}

/** Home goes to the end of the line's mark, and from there before it. */
const toMark =
  (isExtending: boolean): Command =>
  (view) => {
    const { main } = view.state.selection
    const line = view.state.doc.lineAt(main.head)
    const text = line.from + readLine(line.text).textAt
    const isOfLine = view.moveToLineBoundary(main, false).head <= text
    if (text === line.from || !isOfLine || isInCode(view.state, main.head)) return false
    const head = main.head > text ? text : line.from
    view.dispatch({
      selection: EditorSelection.single(isExtending ? main.anchor : head, head),
      scrollIntoView: true,
      userEvent: 'select',
    })
    return true
  }

export const listKeys: KeyBinding[] = [
  { key: 'Enter', run: continueBlock },
  { key: 'Tab', run: indentItems(false), shift: indentItems(true) },
  { key: 'Backspace', run: removeMark },
  { key: 'Home', mac: 'Cmd-ArrowLeft', run: toMark(false), shift: toMark(true) },
]

const typedCheckbox = /^((?: {0,3}>(?: {0,4}>)*)?\s*)((?:[-*+]|\d{1,9}[.)]) +)?\[ ?\]$/

export function checkboxOf(before: string): string | undefined {
  const match = typedCheckbox.exec(before)
  return match ? `${match[1]}${match[2] ?? '- '}[ ] ` : undefined
}

const noBreakSpaceBehindMark = /^([\s>]*(?:#{1,6}|[-*+]|\d{1,9}[.)]|>))\u00a0/

/** Makes a no-break space after a mark a space, which ends the mark. Alt+Space types one on a Mac, and WebKit sometimes does. */
export function withSpaceBehindMark(before: string, typed: string): string | undefined {
  const at = (noBreakSpaceBehindMark.exec(before + typed)?.[1]?.length ?? -1) - before.length
  return at < 0 ? undefined : `${typed.slice(0, at)} ${typed.slice(at + 1)}`
}

/** `[] ` and `[ ] ` make a checkbox, and a no-break space ends a mark as a space does. */
export const typeMarks = EditorView.inputHandler.of((view, from, to, text) => {
  const isSpace = text === ' ' && from === to
  if ((!isSpace && !text.includes('\u00a0')) || isInCode(view.state, from)) return false
  const line = view.state.doc.lineAt(from)
  const before = view.state.sliceDoc(line.from, from)
  const insert = isSpace ? checkboxOf(before) : withSpaceBehindMark(before, text)
  if (insert === undefined) return false
  view.dispatch(typed(isSpace ? line.from : from, to, insert, 'input.type'))
  return true
})
