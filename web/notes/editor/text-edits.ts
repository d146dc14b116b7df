import { syntaxTree } from '@codemirror/language'
import { Annotation, type EditorState, Transaction } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { textChanges } from '../../engine/notes/line-changes.ts'
import { type LineFormat, lineMarks, linkAround } from './format.ts'
import { selectedLines } from './list-lines.ts'
import { nodeAround } from './syntax.ts'

export const fromOthers = Annotation.define<true>()
const notInHistory = Transaction.addToHistory.of(false)

export const typed = (from: number, to: number, insert: string, userEvent: string) => ({
  changes: { from, to, insert },
  selection: { anchor: from + insert.length },
  scrollIntoView: true,
  userEvent,
})

export function showText(view: EditorView, shown: string) {
  const { doc, selection } = view.state
  const changes = view.state.changes(textChanges(doc.toString(), shown))
  let isInLine = false
  changes.iterChanges((from, _to, _newFrom, _newTo, insert) => {
    isInLine ||= from === selection.main.head && insert.lines === 1
  })
  // The caret stays after text that is inserted into its line, which may have become a link, but before new lines.
  const shifted = selection.map(changes, isInLine ? 1 : -1)
  view.dispatch({ changes, selection: shifted, annotations: [fromOthers.of(true), notInHistory] })
}

export function formatSelection(view: EditorView, format: LineFormat | 'link') {
  const { main } = view.state.selection
  if (format === 'link') {
    const anchor = main.empty ? nextPlaceInLink(view.state, main.head) : undefined
    if (anchor !== undefined) return view.dispatch({ selection: { anchor }, scrollIntoView: true })
    const words = view.state.sliceDoc(main.from, main.to)
    const insert = linkAround(words)
    view.dispatch({
      changes: { from: main.from, to: main.to, insert },
      selection: { anchor: main.from + (words ? insert.length - 1 : 1) },
      userEvent: 'input',
    })
  } else {
    const lines = selectedLines(view.state)
    const texts = lines.map(({ text }) => text)
    const marks = lineMarks(texts, format)
    const changes = view.state.changes(
      lines.map(({ from }, index) => {
        const { before = '', after = '' } = marks[index] ?? {}
        return { from, to: from + before.length, insert: after }
      }),
    )
    // The caret stays after the mark.
    const at = (position: number) => changes.mapPos(position, 1)
    const selection = { anchor: at(main.anchor), head: at(main.head) }
    view.dispatch({ changes, selection, userEvent: 'input' })
  }
}

/** From the words of a link to its address, and from there out of the link. */
function nextPlaceInLink(state: EditorState, position: number): number | undefined {
  const link = nodeAround(syntaxTree(state).resolveInner(position, -1), 'Link')
  const [, closing, end] = link?.getChildren('LinkMark') ?? []
  if (!closing || !end || position >= end.to) return undefined
  return position <= closing.from ? end.from : end.to
}
