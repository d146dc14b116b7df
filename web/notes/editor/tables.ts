import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Range, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { plainText } from '../markdown/plain-text.ts'
import { alignmentOf, cellsOf } from '../markdown/table-cells.ts'
import { Drawn } from './drawn.ts'
import { nodeAround } from './syntax.ts'

/** The lines of the table around a position. Tables in lists and quotes, whose lines begin with marks, are excluded. */
export function tableAt(state: EditorState, position: number) {
  for (const side of [-1, 1] as const) {
    const table = nodeAround(syntaxTree(state).resolveInner(position, side), 'Table')
    if (table?.parent?.name === 'Document') return linesOf(state, table)
  }
  return undefined
}

const linesOf = ({ doc }: EditorState, { from, to }: SyntaxNode) => ({
  from: doc.lineAt(from).from,
  to: doc.lineAt(to).to,
})

const lengthOf = (text: string) => [...text].length

/** The rows with columns of equal width. Row 1 is the delimiter. */
export function alignedRows(rows: string[][]): string[] {
  const columns = Math.max(...rows.map((row) => row.length))
  const indexes = Array.from({ length: columns }, (_, index) => index)
  const delimiters = indexes.map((index) => alignmentOf(rows[1]?.[index] ?? ''))
  const widths = indexes.map((index) =>
    Math.max(3, ...rows.map((row, number) => (number === 1 ? 0 : lengthOf(row[index] ?? '')))),
  )
  const padded = (text: string, index: number) => {
    const missing = ' '.repeat((widths[index] ?? 0) - lengthOf(text))
    return delimiters[index] === 'right' ? missing + text : text + missing
  }
  const delimiter = (index: number) => {
    const [before, after] = [/left|center/, /right|center/].map((side) => side.test(delimiters[index] ?? ''))
    const dashes = '-'.repeat((widths[index] ?? 0) - (before ? 1 : 0) - (after ? 1 : 0))
    return `${before ? ':' : ''}${dashes}${after ? ':' : ''}`
  }
  return rows.map((row, number) => {
    const cells = indexes.map((index) => (number === 1 ? delimiter(index) : padded(row[index] ?? '', index)))
    return `| ${cells.join(' | ')} |`
  })
}

const focusChanged = StateEffect.define<boolean>()

/** The most rows of a rendered table, because all of them are rendered. */
const maxRows = 200

const editedRow = Decoration.line({ class: 'note-table-row' })

/** Renders tables, except the one with the caret. */
export const shownTables = [
  EditorView.focusChangeEffect.of((_state, hasFocus) => focusChanged.of(hasFocus)),
  StateField.define<{ hasFocus: boolean; decorations: DecorationSet }>({
    create: (state) => ({ hasFocus: false, decorations: decorate(state, false) }),
    update(shown, transaction) {
      const { startState, state, docChanged, selection, effects } = transaction
      const hasFocus = effects.findLast((effect) => effect.is(focusChanged))?.value ?? shown.hasFocus
      const isParsed = syntaxTree(startState) !== syntaxTree(state)
      if (!docChanged && !selection && !isParsed && hasFocus === shown.hasFocus) return shown
      return { hasFocus, decorations: decorate(state, hasFocus) }
    },
    provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
  }),
]

function decorate(state: EditorState, hasFocus: boolean): DecorationSet {
  const found: Range<Decoration>[] = []
  for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) {
    if (node.name !== 'Table') continue
    const { from, to } = linesOf(state, node)
    // While the search panel has the focus, the found text is selected.
    const isEdited = state.selection.ranges.some(
      (range) => (hasFocus || !range.empty) && range.to >= from && range.from <= to,
    )
    if (isEdited || state.doc.lineAt(to).number - state.doc.lineAt(from).number > maxRows) {
      for (let at = from; at <= to; at = state.doc.lineAt(at).to + 1) found.push(editedRow.range(at))
    } else {
      const text = state.sliceDoc(from, to)
      const widget = new Drawn(`table ${text}`, (view) => drawTable(text, view))
      found.push(Decoration.replace({ widget, block: true }).range(from, to))
    }
  }
  return Decoration.set(found)
}

function drawTable(text: string, view: EditorView) {
  const lines = text.split('\n')
  const rows = lines.map(cellsOf)
  const aligns = rows[1]?.map(({ text }) => alignmentOf(text)) ?? []
  const table = document.createElement('table')
  let rowFrom = 0
  for (const [number, cells] of rows.entries()) {
    if (number !== 1) {
      const row = table.insertRow()
      for (const [index, { text, to }] of cells.entries()) {
        const cell = document.createElement(number === 0 ? 'th' : 'td')
        cell.textContent = plainText(text)
        cell.dir = 'auto'
        cell.dataset.align = aligns[index] ?? ''
        const at = rowFrom + to
        cell.addEventListener('mousedown', (event) => {
          event.preventDefault()
          view.dispatch({ selection: { anchor: view.posAtDOM(shown) + at }, userEvent: 'select' })
          view.focus()
        })
        row.append(cell)
      }
    }
    rowFrom += (lines[number]?.length ?? 0) + 1
  }
  const shown = document.createElement('div')
  shown.className = 'note-table'
  shown.append(table)
  return shown
}
