import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState, Line } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { taskOfLine } from '../../engine/notes/task-line.ts'

/** Milliseconds for parsing a long note. */
export const longestParse = 200

/** The tree up to a position, or as far as the time allows. */
export const treeUpTo = (state: EditorState, position: number) =>
  ensureSyntaxTree(state, position, longestParse) ?? syntaxTree(state)

/** The nearest node with one of these names, which may be `node` itself. */
export function nodeAround(node: SyntaxNode | null, ...names: string[]): SyntaxNode | null {
  let around = node
  while (around && !names.includes(around.name)) around = around.parent
  return around
}

/** The block of code at a position. A line of code can look like a list item. */
export const codeAt = (state: EditorState, position: number): SyntaxNode | null =>
  nodeAround(treeUpTo(state, position).resolveInner(position, -1), 'CodeBlock', 'FencedCode')

export const isInCode = (state: EditorState, position: number) => codeAt(state, position) !== null

/** Markdown that shows a link as text, or that ends if one of its lines changes. */
const others = [
  ...['FencedCode', 'CodeBlock', 'Table', 'HTMLBlock', 'CommentBlock', 'ProcessingInstructionBlock'],
  ...['HorizontalRule', 'HeaderMark'],
]

/** Whether a link can replace the text of this line. */
export function isTextLine(state: EditorState, line: Line): boolean {
  const tree = treeUpTo(state, line.to)
  const { before = '' } = taskOfLine(line.text) ?? {}
  for (let node = tree.resolveInner(line.from + before.length, 1); ; ) {
    const isOpened = ['InlineCode', 'Link', 'Image'].includes(node.name) && node.from < line.from
    // An ATX mark is before the task.
    const isMark = node.name === 'HeaderMark' && node.parent?.name.startsWith('ATX')
    if (isOpened || (others.includes(node.name) && !isMark)) return false
    if (!node.parent) return true
    node = node.parent
  }
}
