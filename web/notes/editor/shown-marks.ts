import type { EditorState, Range } from '@codemirror/state'
import { Decoration, type EditorView } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { Sign } from './drawn.ts'
import { nodeAround } from './syntax.ts'

/** Whether the line of a position has the caret, so that its Markdown is shown as written. */
export const hasCaretInLine = ({ state, hasFocus }: EditorView, position: number) => {
  const line = state.doc.lineAt(position)
  return hasFocus && state.selection.ranges.some(({ from, to }) => to >= line.from && from <= line.to)
}

const bullet = new Sign('note-bullet', '•')
const rule = new Sign('note-rule')

const quoteLine = Decoration.line({ class: 'note-quote-line' })
const innerQuoteLine = Decoration.line({ class: 'note-inner-quote-line' })
const codeLine = Decoration.line({ class: 'note-code-line' })
const firstCodeLine = Decoration.line({ class: 'note-code-first' })
const lastCodeLine = Decoration.line({ class: 'note-code-last' })
const indent = Decoration.mark({ class: 'note-indent' })
const headingLine = Decoration.line({ class: 'note-heading-line' })

/** The decorations of a node: lines of blocks always, hidden marks only on lines without the caret. */
export function shownMarks(view: EditorView, node: SyntaxNode): Range<Decoration>[] {
  const { state } = view
  const { name, from } = node
  if (name === 'Blockquote') {
    const decoration = nodeAround(node.parent, 'Blockquote') ? innerQuoteLine : quoteLine
    return linesOf(view, node).map((line) => decoration.range(line.from))
  }
  if (name === 'FencedCode' || name === 'CodeBlock') return codeLines(view, node)
  if (name.startsWith('ATXHeading') || name.startsWith('SetextHeading'))
    return from > 0 ? [headingLine.range(state.doc.lineAt(from).from)] : []
  if (name === 'ListMark')
    return [...indentation(state, from), ...(hasCaretInLine(view, from) ? [] : hiddenMark(state, node))]
  if (hasCaretInLine(view, from)) return []
  if (name === 'HorizontalRule') return [Decoration.replace({ widget: rule }).range(from, node.to)]
  return hiddenMark(state, node)
}

function linesOf({ state, viewport }: EditorView, { from, to }: SyntaxNode) {
  const first = state.doc.lineAt(Math.max(from, viewport.from)).number
  const last = state.doc.lineAt(Math.min(to, viewport.to)).number
  return Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index))
}

function indentation({ doc }: EditorState, mark: number): Range<Decoration>[] {
  const { from, text } = doc.lineAt(mark)
  const start = mark - (/[ \t]*$/.exec(text.slice(0, mark - from))?.[0].length ?? 0)
  return start < mark ? [indent.range(start, mark)] : []
}

function codeLines(view: EditorView, node: SyntaxNode): Range<Decoration>[] {
  return linesOf(view, node).flatMap((line) => [
    codeLine.range(line.from),
    ...(line.from <= node.from ? [firstCodeLine.range(line.from)] : []),
    ...(line.to >= node.to ? [lastCodeLine.range(line.from)] : []),
  ])
}

const replaced = (from: number, to: number) => (to > from ? [Decoration.replace({}).range(from, to)] : [])

function hiddenMark(state: EditorState, node: SyntaxNode): Range<Decoration>[] {
  const { name, from, to, parent } = node
  const withSpace = () => (state.sliceDoc(to, to + 1) === ' ' ? to + 1 : to)
  switch (name) {
    case 'EmphasisMark':
    case 'StrikethroughMark':
    case 'CodeMark':
      return replaced(from, to)
    case 'QuoteMark':
      return replaced(from, withSpace())
    case 'HeaderMark':
      // Setext marks are separate lines.
      return parent?.name.startsWith('ATX') && from === parent.from ? replaced(from, withSpace()) : []
    case 'ListMark':
      if (parent?.parent?.name !== 'BulletList') return []
      // The checkbox replaces it.
      if (parent.getChild('Task')) return replaced(from, withSpace())
      return [Decoration.replace({ widget: bullet }).range(from, to)]
    case 'Link':
      return hiddenAddress(state, node)
    default:
      return []
  }
}

/** Links without words or on two lines are shown as written. */
function hiddenAddress(state: EditorState, link: SyntaxNode): Range<Decoration>[] {
  const [opening, closing] = link.getChildren('LinkMark')
  const isOnOneLine = link.to <= state.doc.lineAt(link.from).to
  if (!opening || !closing || closing.from <= opening.to || !isOnOneLine) return []
  return [...replaced(opening.from, opening.to), ...replaced(closing.from, link.to)]
}
