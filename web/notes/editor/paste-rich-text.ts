import { isolateHistory } from '@codemirror/commands'
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { hasCheckbox, isInCode } from './markdown-editing.ts'

/**
 * Formatted text is pasted as plain text, which becomes Markdown when the converter has loaded, unless it was changed
 * meanwhile. Undo leads back to the plain text.
 */
export const pasteRichText = EditorView.domEventHandlers({
  paste({ clipboardData }, view) {
    const html = clipboardData?.getData('text/html') ?? ''
    const plain = view.state.toText(clipboardData?.getData('text/plain') ?? '')
    const { from, to } = view.state.selection.main
    if (html === '' || isPlainAt(view.state, from)) return false
    view.dispatch({
      changes: { from, to, insert: plain },
      selection: { anchor: from + plain.length },
      scrollIntoView: true,
      userEvent: 'input.paste',
    })
    convert(view, html, from, plain.toString()).catch(console.error)
    return true
  },
})

/** Code is not Markdown, and the text of a checkbox is one line. */
const isPlainAt = (state: EditorState, position: number) =>
  isInCode(state, position) ||
  syntaxTree(state).resolveInner(position, -1).name === 'InlineCode' ||
  hasCheckbox(state.doc.lineAt(position).text)

async function convert(view: EditorView, html: string, from: number, plain: string) {
  const { markdownOfHtml } = await import('../pasting/markdown-of-html.ts')
  const converted = await markdownOfHtml(html, plain)
  const to = from + view.state.toText(plain).length
  if (!converted || view.state.sliceDoc(from, to) !== plain) return
  const { markdown, isPhrase } = converted
  const insert = isPhrase ? markdown : apart(view.state, from, to, markdown)
  view.dispatch({
    changes: { from, to, insert },
    annotations: isolateHistory.of('full'),
    scrollIntoView: true,
    userEvent: 'input.paste',
  })
}

/** Blocks begin and end on lines of their own. An empty line before a table or a rule, and after all, keeps them apart. */
function apart({ doc }: EditorState, from: number, to: number, markdown: string): string {
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)]
  const isBlank = (number: number) => number < 1 || number > doc.lines || doc.line(number).text.trim() === ''
  const isAfterText = doc.sliceString(first.from, from).trim() !== ''
  const isBeforeText = doc.sliceString(to, last.to).trim() !== ''
  const needsGap = /^(?:\||---)/.test(markdown) && !isBlank(first.number - 1)
  const before = isAfterText ? '\n\n' : needsGap ? '\n' : ''
  const after = isBeforeText ? '\n\n' : isBlank(last.number + 1) ? '' : '\n'
  return before + markdown + after
}
