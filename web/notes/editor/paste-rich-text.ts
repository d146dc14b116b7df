import { isolateHistory } from '@codemirror/commands'
import { EditorView } from '@codemirror/view'
import { isInCode } from './markdown-editing.ts'

/** The longest HTML that is converted; longer HTML is pasted as plain text. */
const longest = 300_000

/** The elements that plain text would lose. Without any, for example in code copied from an editor, plain text is better. */
const formatted = 'h1, h2, h3, h4, h5, h6, ul, ol, a[href], strong, b, em, i, pre, code, blockquote'

/** Parses without running, loading or needing trust; not in every browser. */
type SafeParser = { parseHTML?: (html: string) => Document }

/**
 * Formatted text is pasted as plain text, which becomes Markdown when the converter has loaded, unless it was changed
 * meanwhile. Undo leads back to the plain text.
 */
export const pasteRichText = EditorView.domEventHandlers({
  paste({ clipboardData }, view) {
    const html = clipboardData?.getData('text/html') ?? ''
    const plain = view.state.toText(clipboardData?.getData('text/plain') ?? '')
    const parsed = html.length <= longest ? (Document as SafeParser).parseHTML?.(html) : undefined
    const { from, to } = view.state.selection.main
    if (!parsed?.querySelector(formatted) || isInCode(view.state, from)) return false
    view.dispatch({
      changes: { from, to, insert: plain },
      selection: { anchor: from + plain.length },
      scrollIntoView: true,
      userEvent: 'input.paste',
    })
    convert(view, parsed.body, from, plain.toString()).catch(console.error)
    return true
  },
})

async function convert(view: EditorView, body: HTMLElement, from: number, plain: string) {
  const { markdownOf } = await import('./markdown-of-html.ts')
  const to = from + view.state.toText(plain).length
  if (view.state.sliceDoc(from, to) !== plain) return
  view.dispatch({
    changes: { from, to, insert: markdownOf(body) },
    annotations: isolateHistory.of('full'),
    scrollIntoView: true,
    userEvent: 'input.paste',
  })
}
