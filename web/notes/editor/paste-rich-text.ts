import { isolateHistory } from '@codemirror/commands'
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { Range } from '#contract/ranges.ts'
import { markdownOfHtml, plainOfHtml } from '../pasting/markdown-of-html.ts'
import { readLine } from './list-lines.ts'
import { hasCheckbox } from './markdown-editing.ts'
import { asPlain, isOfItems } from './paste-items.ts'
import { isInCode } from './syntax.ts'

/**
 * Formatted text that is pasted or dropped is inserted as plain text. When the converter has loaded, the plain text becomes
 * Markdown, unless it was changed meanwhile. Undo leads back to the plain text.
 */
export const pasteRichText = EditorView.domEventHandlers({
  paste: ({ clipboardData }, view) => insertFrom(clipboardData, view, view.state.selection.main),
  drop({ dataTransfer, clientX: x, clientY: y }, view) {
    if (dataTransfer?.files.length) return false
    const place = view.posAtCoords({ x, y }, false)
    return insertFrom(dataTransfer, view, { from: place, to: place })
  },
  dragstart({ dataTransfer }) {
    // The browser would add the HTML of the lines. What is dragged within the editor is moved as it is written.
    dataTransfer?.clearData('text/html')
  },
})

/** False if the editor itself inserts the plain text. */
function insertFrom(data: DataTransfer | null, view: EditorView, { from, to }: Range): boolean {
  const html = data?.getData('text/html') ?? ''
  const plain = data?.getData('text/plain') ?? ''
  if (html === '' || (plain !== '' && isPlainAt(view.state, from))) return false
  view.focus()
  view.dispatch({ selection: { anchor: from, head: to } })
  const inserted = plain === '' ? insertWithoutPlain(view, html) : insert(view, html, plain)
  inserted.catch(console.error)
  return true
}

/** Some programs copy HTML alone. */
async function insertWithoutPlain(view: EditorView, html: string) {
  const plain = plainOfHtml(html)
  if (plain !== '') await insert(view, html, plain)
}

/** Code is not Markdown, and the text of a checkbox is one line. */
const isPlainAt = (state: EditorState, position: number) =>
  isInCode(state, position) ||
  syntaxTree(state).resolveInner(position, -1).name === 'InlineCode' ||
  hasCheckbox(state.doc.lineAt(position).text)

async function insert(view: EditorView, html: string, text: string) {
  const written = view.state.toText(text)
  const { from, to } = view.state.selection.main
  const isPlain = isPlainAt(view.state, from)
  view.dispatch({
    changes: { from, to, insert: written },
    selection: { anchor: from + written.length },
    scrollIntoView: true,
    userEvent: 'input.paste',
    ...(!isPlain && { annotations: asPlain.of(true) }),
  })
  if (!isPlain) await convert(view, html, { from, to: from + written.length }, written.toString())
}

async function convert(view: EditorView, html: string, { from, to }: Range, plain: string) {
  const isChanged = () => view.state.sliceDoc(from, to) !== plain
  if (isChanged()) return
  const { doc } = view.state
  const before = doc.sliceString(doc.lineAt(from).from, from)
  const after = doc.sliceString(to, doc.lineAt(to).to)
  const { markdown, isPhrase } = (await markdownOfHtml(html, { plain, before, after })) ?? {
    markdown: plain,
    isPhrase: true,
  }
  if (isChanged()) return
  const insert =
    isPhrase || isOfItems(before, markdown) ? markdown : apart(view.state, { from, to }, markdown)
  // In an item and in a quote, lines are pasted in another way than they are written. A title in brackets becomes a link.
  if (insert === plain && before === '' && !plain.includes('[[')) return
  view.dispatch({
    changes: { from, to, insert },
    annotations: isolateHistory.of('full'),
    scrollIntoView: true,
    userEvent: 'input.paste',
  })
}

/** Blocks begin and end on lines of their own. An empty line before a table or a rule, and after all, keeps them apart. */
function apart({ doc }: EditorState, { from, to }: Range, markdown: string): string {
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)]
  const isBlank = (number: number) => number < 1 || number > doc.lines || doc.line(number).text.trim() === ''
  const { quote } = readLine(first.text)
  const isAfterText = doc.sliceString(first.from + quote.length, from).trim() !== ''
  const isBeforeText = doc.sliceString(to, last.to).trim() !== ''
  const needsGap = /^(?:\||---)/.test(markdown) && !isBlank(first.number - 1)
  const before = isAfterText ? '\n\n' : needsGap ? '\n' : ''
  const after = isBeforeText ? '\n\n' : isBlank(last.number + 1) ? '' : '\n'
  return before + markdown + after
}
