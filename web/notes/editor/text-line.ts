import type { EditorState } from '@codemirror/state'
import { taskOfLine } from '../../engine/notes/task-line.ts'
import { treeUpTo } from './syntax.ts'

/** Markdown in which a link is no link, or that ends where one of its lines changes. */
const others = [
  ...['FencedCode', 'CodeBlock', 'Table', 'HTMLBlock', 'CommentBlock', 'ProcessingInstructionBlock'],
  ...['HorizontalRule', 'HeaderMark'],
]

/** Whether a line of a note is text, which a link can replace. */
export function isTextLine(state: EditorState, line: { from: number; to: number; text: string }): boolean {
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
