import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

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
