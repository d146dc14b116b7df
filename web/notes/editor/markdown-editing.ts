import { syntaxTree } from '@codemirror/language'
import { type ChangeSpec, EditorSelection, type EditorState, type StateCommand } from '@codemirror/state'
import { EditorView, type KeyBinding } from '@codemirror/view'
import type { Range } from '#contract/ranges.ts'
import { linkTo } from '../../engine/notes/task-line.ts'
import { isWebAddress, noteIdIn } from '../markdown/note-address.ts'
import { listKeys } from './list-keys.ts'
import { readLine } from './list-lines.ts'
import { nodeAround, treeUpTo } from './syntax.ts'

const checkbox = /^\s*(?:[-*+]|\d{1,9}[.)]) +\[([ xX])\] /

export const hasCheckbox = (line: string) => checkbox.test(line)

const tickLine: StateCommand = ({ state, dispatch }) => {
  const line = state.doc.lineAt(state.selection.main.head)
  const match = checkbox.exec(line.text)
  const changes = match
    ? tickAt(state, line.from + match[0].length - 3)
    : { from: line.from + (/^\s*(?:[-*+] +)?/.exec(line.text)?.[0].length ?? 0), insert: itemMark(line.text) }
  dispatch(state.update({ changes, userEvent: 'input' }))
  return true
}

const itemMark = (line: string) => (/^\s*[-*+] /.test(line) ? '[ ] ' : '- [ ] ')

export const tickAt = (state: EditorState, position: number) => ({
  from: position,
  to: position + 1,
  insert: state.sliceDoc(position, position + 1) === ' ' ? 'x' : ' ',
})

const longestMark = '***'.length

/** Whether so many asterisks contain the mark: two are `**`, not twice `*`. */
const hasMark = (mark: '*' | '**', asterisks: number) =>
  asterisks === mark.length || asterisks === longestMark

const withoutEmphasis = ['FencedCode', 'CodeBlock', 'Table', 'HorizontalRule']

/** The selected text of each line without marks and spaces: emphasis ends with the line. Code has none, and it would end a table. */
function textsOfLines(state: EditorState, { from, to }: Range): Range[] {
  const { doc } = state
  const texts: Range[] = []
  const tree = treeUpTo(state, to)
  for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
    const { textAt } = readLine(line.text)
    const heading = /^#{1,6} /.exec(line.text.slice(textAt))?.[0].length ?? 0
    const start = Math.max(from, line.from + textAt + heading)
    const words = doc.sliceString(start, Math.max(start, Math.min(to, line.to)))
    const space = words.length - words.trimStart().length
    const other = nodeAround(tree.resolveInner(start + space, 1), ...withoutEmphasis)
    if (words.trim() !== '' && !other)
      texts.push({ from: start + space, to: start + space + words.trim().length })
    if (line.to >= to) return texts
  }
}

/** The places of the marks around a text, if it has both. */
function marksAround(state: EditorState, { from, to }: Range, mark: '*' | '**'): number[] | undefined {
  const before = /\**$/.exec(state.sliceDoc(Math.max(0, from - longestMark), from))?.[0].length ?? 0
  const after = /^\**/.exec(state.sliceDoc(to, to + longestMark))?.[0].length ?? 0
  return hasMark(mark, before) && hasMark(mark, after) ? [from - mark.length, to] : undefined
}

/** The places of the marks at the ends of a text, if it has both. */
function marksInside(state: EditorState, { from, to }: Range, mark: '*' | '**'): number[] | undefined {
  const words = state.sliceDoc(from, to)
  const [first, last] = [/^\**/.exec(words)?.[0].length ?? 0, /\**$/.exec(words)?.[0].length ?? 0]
  const hasBoth = first + last < words.length && hasMark(mark, first) && hasMark(mark, last)
  return hasBoth ? [from, to - mark.length] : undefined
}

/** Marks the selection, or the text of each selected line. If all are marked, it removes the marks. */
const wrapIn =
  (mark: '*' | '**'): StateCommand =>
  ({ state, dispatch }) => {
    const length = mark.length
    const spec = state.changeByRange(({ from, to }) => {
      if (state.doc.lineAt(from).to >= to) {
        const marks = marksAround(state, { from, to }, mark)
        const shift = marks ? -length : length
        return {
          changes: marks?.map((at) => ({ from: at, to: at + length })) ?? [
            { from, insert: mark },
            { from: to, insert: mark },
          ],
          range: EditorSelection.range(from + shift, to + shift),
        }
      }
      const texts = textsOfLines(state, { from, to })
      const marked = texts.map((text) => marksAround(state, text, mark) ?? marksInside(state, text, mark))
      const isRemoved = marked.every((marks) => marks !== undefined)
      const changes = texts.flatMap((text, index): ChangeSpec[] => {
        if (isRemoved) return (marked[index] ?? []).map((at) => ({ from: at, to: at + length }))
        return marked[index] ? [] : [text.from, text.to].map((at) => ({ from: at, insert: mark }))
      })
      const moved = state.changes(changes)
      return { changes, range: EditorSelection.range(moved.mapPos(from, -1), moved.mapPos(to, 1)) }
    })
    dispatch(state.update(spec, { userEvent: 'input' }))
    return true
  }

export const markdownKeys: KeyBinding[] = [
  ...listKeys,
  { key: 'Mod-Enter', run: tickLine },
  { key: 'Mod-b', run: wrapIn('**') },
  { key: 'Mod-i', run: wrapIn('*') },
]

/** The destination of a link in Markdown. For a note of this server it is its id, so that the link shows the current title. */
function destinationOf(pasted: string): string {
  const address = new URL(pasted)
  const id = address.origin === location.origin ? noteIdIn(address) : undefined
  if (id) return `note:${id}`
  // Within angle brackets, parentheses belong to the address.
  return /[()]/.test(pasted) ? `<${pasted}>` : pasted
}

/** The address of a link whose words are selected, or its place. */
function addressAround({ state }: EditorView, { from, to }: Range): Range | undefined {
  const link = nodeAround(syntaxTree(state).resolveInner(from, 1), 'Link', 'Image')
  const [opening, closing] = link?.getChildren('LinkMark') ?? []
  if (!link || !opening || !closing || from < opening.to || to > closing.from) return undefined
  const { from: start, to: end } = link.getChild('URL') ?? { from: closing.to, to: closing.to }
  const isEnclosed = state.sliceDoc(start - 1, start) === '<'
  return isEnclosed ? { from: start - 1, to: end + 1 } : { from: start, to: end }
}

/** A pasted address makes the selection a link or replaces that of a selected link. The address of a note always becomes a link. */
export const pasteLinks = (titleOf: (noteId: string) => string | undefined) =>
  EditorView.domEventHandlers({
    paste(event, view) {
      const pasted = event.clipboardData?.getData('text/plain').trim() ?? ''
      const { from, to, empty } = view.state.selection.main
      const selected = view.state.sliceDoc(from, to)
      if (!isWebAddress(pasted) || /[\n[\]]/.test(selected) || isWebAddress(selected)) return false
      const destination = destinationOf(pasted)
      if (empty && !destination.startsWith('note:')) return false
      const address = empty ? undefined : addressAround(view, { from, to })
      if (address) {
        view.dispatch({ changes: { ...address, insert: destination }, userEvent: 'input.paste' })
        return true
      }
      const isInLink = empty && view.state.sliceDoc(from - 2, from) === ']('
      const link = isInLink
        ? destination
        : selected
          ? `[${selected}](${destination})`
          : linkTo(titleOf(destination.slice('note:'.length)) ?? 'Note', destination)
      view.dispatch({
        changes: { from, to, insert: link },
        selection: { anchor: from + link.length },
        userEvent: 'input.paste',
      })
      return true
    },
  })
