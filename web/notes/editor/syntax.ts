import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState, Line } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { taskOfLine } from '../../engine/notes/task-line.ts'

/** In milliseconds: how long a long note may be parsed up to a position. */
export const longestParse = 200

/** The tree that is known up to a position, or as far as the time allows. */
export const treeUpTo = (state: EditorState, position: number) =>
  ensureSyntaxTree(state, position, longestParse) ?? syntaxTree(state)

/** The nearest node with one of these names: a node itself, or one around it. */
export function nodeAround(node: SyntaxNode | null, ...names: string[]): SyntaxNode | null {
  let around = node
  while (around && !names.includes(around.name)) around = around.parent
  return around
}

/** The block of code before a position. A line of code that looks like a list item is code. */
export const codeAt = (state: EditorState, position: number): SyntaxNode | null =>
  nodeAround(treeUpTo(state, position).resolveInner(position, -1), 'CodeBlock', 'FencedCode')

export const isInCode = (state: EditorState, position: number) => codeAt(state, position) !== null

/** Markdown in which a link is no link, or that ends where one of its lines changes. */
const others = [
  ...['FencedCode', 'CodeBlock', 'Table', 'HTMLBlock', 'CommentBlock', 'ProcessingInstructionBlock'],
  ...['HorizontalRule', 'HeaderMark'],
]

/** Whether a line of a note is text, which a link can replace. */
export function isTextLine(state: EditorState, line: Line): boolean {
  const tree = treeUpTo(state, line.to)
  const { before = '' } = taskOfLine(line.text) ?? {}
  for (let node = tree.resolveInner(line.from + before.length, 1); ; ) {
    const isOpened = ['InlineCode', 'Link', 'Image'].includes(node.name) && node.from < line.from
    // The mark of a heading above its text is before the task.
    const isMark = node.name === 'HeaderMark' && node.parent?.name.startsWith('ATX')
    if (isOpened || (others.includes(node.name) && !isMark)) return false
    if (!node.parent) return true
    node = node.parent
  }
}
