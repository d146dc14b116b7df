import { EditorSelection, type EditorState, type Line, type StateCommand } from '@codemirror/state'
import type { Command, KeyBinding } from '@codemirror/view'
import { textChanges } from '../../engine/notes/line-changes.ts'
import { cellsOf } from '../markdown/table-cells.ts'
import { readLine } from './list-lines.ts'
import { codeAt } from './syntax.ts'
import { alignedRows, tableAt } from './tables.ts'

type CellPlace = { row: number; column: number; columns: number }

/** Goes to the cell with the index that `next` returns, and aligns the columns. After the last cell, it adds a row. */
const goToCell =
  (next: (place: CellPlace) => number): StateCommand =>
  ({ state, dispatch }) => {
    const { head } = state.selection.main
    const table = tableAt(state, head)
    if (!table) return false
    const written = state.sliceDoc(table.from, table.to)
    const rows = written.split('\n').map((line) => cellsOf(line).map(({ text }) => text))
    const columns = Math.max(...rows.map((row) => row.length))
    const line = state.doc.lineAt(head)
    const row = line.number - state.doc.lineAt(table.from).number
    const column = cellsOf(line.text).findLastIndex(({ from }) => from <= head - line.from)
    const index = next({ row, column: Math.max(column, 0), columns })
    if (index < 0) return false
    if (index >= rows.length * columns) rows.push([])

    const aligned = alignedRows(rows)
    const changes = textChanges(written, aligned.join('\n')).map((change) => ({
      ...change,
      from: table.from + change.from,
      to: table.from + change.to,
    }))
    const nextRow = Math.floor(index / columns)
    const rowFrom = table.from + aligned.slice(0, nextRow).join('\n').length + (nextRow > 0 ? 1 : 0)
    const cell = cellsOf(aligned[nextRow] ?? '')[index % columns]
    const selection = EditorSelection.single(rowFrom + (cell?.from ?? 0), rowFrom + (cell?.to ?? 0))
    dispatch(state.update({ changes, selection, scrollIntoView: true, userEvent: 'input' }))
    return true
  }

/** Tab and Shift+Tab go to the next and the previous cell, but not into the row of delimiters. */
export const toCell = (step: 1 | -1): StateCommand =>
  goToCell(({ row, column, columns }) => {
    const next = row * columns + column + step
    return next >= columns && next < 2 * columns ? next + step * columns : next
  })

const toNextRow = goToCell(({ row, columns }) => Math.max(row + 1, 2) * columns)

/** Enter goes to the next row, from an empty last row out of the table, and after the last pipe breaks the line. */
const enterInTable: StateCommand = (target) => {
  const { state, dispatch } = target
  const { head } = state.selection.main
  const line = state.doc.lineAt(head)
  const table = tableAt(state, head)
  if (!table || head === line.from || !state.sliceDoc(head, line.to).includes('|')) return false
  const isUsed = line.to < table.to || cellsOf(line.text).some(({ text }) => text !== '')
  if (isUsed) return toNextRow(target)
  const insert = isBlank(lineBelow(state, line)) ? '' : '\n'
  dispatch(
    state.update({
      changes: { from: line.from, to: line.to, insert },
      // Without a blank line in between, the line below would be a row.
      selection: { anchor: line.from + 1 },
      scrollIntoView: true,
      userEvent: 'input',
    }),
  )
  return true
}

const lineBelow = ({ doc }: EditorState, { number }: Line) =>
  number < doc.lines ? doc.line(number + 1) : undefined

const isBlank = (line: Line | undefined) => line?.text.trim() === ''

const newTable = '|     |     |\n| --- | --- |\n|     |     |'

/** Adds a table of two columns in place of an empty line, or below the line. The caret is in its first cell. */
export const addTable: StateCommand = ({ state, dispatch }) => {
  const { head } = state.selection.main
  const line = state.doc.lineAt(tableAt(state, head)?.to ?? codeAt(state, head)?.to ?? head)
  // The first line is the title.
  const isReplaced = line.number > 1 && line.text.slice(readLine(line.text).textAt).trim() === ''
  const from = isReplaced ? line.from : line.to
  const below = lineBelow(state, line)
  // Blank lines surround it. At the end of the note, the caret can be put below it.
  const before = isReplaced && isBlank(state.doc.line(line.number - 1)) ? '' : isReplaced ? '\n' : '\n\n'
  const after = below ? '\n'.repeat(isBlank(below) ? 0 : 1) : '\n\n'
  dispatch(
    state.update({
      changes: { from, to: line.to, insert: before + newTable + after },
      selection: { anchor: from + before.length + 2 },
      scrollIntoView: true,
      userEvent: 'input',
    }),
  )
  return true
}

/** The arrows enter a rendered table, which the editor would skip. */
const enterTable =
  (step: 1 | -1): Command =>
  (view) => {
    const { doc, selection } = view.state
    const line = doc.lineAt(selection.main.head)
    const next = line.number + step
    if (!selection.main.empty || next < 1 || next > doc.lines) return false
    const { from, text } = doc.line(next)
    if (!tableAt(view.state, from) || tableAt(view.state, line.from)) return false
    // A long line is wrapped.
    const moved = view.moveVertically(selection.main, step > 0).head
    if (moved >= line.from && moved <= line.to && moved !== selection.main.head) return false
    const anchor = from + (cellsOf(text)[0]?.from ?? 0)
    view.dispatch({ selection: { anchor }, scrollIntoView: true, userEvent: 'select' })
    return true
  }

export const tableKeys: KeyBinding[] = [
  { key: 'Tab', run: toCell(1), shift: toCell(-1) },
  { key: 'Enter', run: enterInTable },
  { key: 'ArrowDown', run: enterTable(1) },
  { key: 'ArrowUp', run: enterTable(-1) },
]
