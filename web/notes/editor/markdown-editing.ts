import type { EditorState, StateCommand } from '@codemirror/state'
import { EditorSelection } from '@codemirror/state'
import { EditorView, type KeyBinding } from '@codemirror/view'
import { isWebAddress, noteIdIn } from '../markdown/note-address.ts'
import { linkTo } from '../task-line.ts'
import { listKeys } from './list-keys.ts'

const checkbox = /^\s*(?:[-*+]|\d{1,9}[.)]) +\[([ xX])\] /

export const hasCheckbox = (line: string) => checkbox.test(line)

/** Ticks the checkbox of the caret's line, or makes the line an item with one. */
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

/** The change of the character inside a checkbox. */
export const tickAt = (state: EditorState, position: number) => ({
  from: position,
  to: position + 1,
  insert: state.sliceDoc(position, position + 1) === ' ' ? 'x' : ' ',
})

/** The length of the mark of text that is both strong and emphasized. */
const longestMark = '***'.length

/** Whether a number of asterisks contains the mark: two are `**`, and not `*` twice. */
const hasMark = (mark: '*' | '**', asterisks: number) =>
  asterisks === mark.length || asterisks === longestMark

/** Puts marks around the selection, or removes them. */
const wrapIn =
  (mark: '*' | '**'): StateCommand =>
  ({ state, dispatch }) => {
    const spec = state.changeByRange(({ from, to }) => {
      const before = /\**$/.exec(state.sliceDoc(from - longestMark, from))?.[0].length ?? 0
      const after = /^\**/.exec(state.sliceDoc(to, to + longestMark))?.[0].length ?? 0
      const isWrapped = hasMark(mark, before) && hasMark(mark, after)
      const shift = isWrapped ? -mark.length : mark.length
      return {
        changes: isWrapped
          ? [
              { from: from - mark.length, to: from },
              { from: to, to: to + mark.length },
            ]
          : [
              { from, insert: mark },
              { from: to, insert: mark },
            ],
        range: EditorSelection.range(from + shift, to + shift),
      }
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

/** The destination of a link as Markdown: for a note of this server its id, so that the link shows the current title. */
function destinationOf(pasted: string): string {
  const address = new URL(pasted)
  const id = address.origin === location.origin ? noteIdIn(address) : undefined
  if (id) return `note:${id}`
  // In angle brackets, parentheses are part of the address.
  return /[()]/.test(pasted) ? `<${pasted}>` : pasted
}

/**
 * An address that is pasted over a selection makes a link of it. The address of a note becomes a link without one, too, with
 * the title of the note if that is known.
 */
export const pasteLinks = (titleOf: (noteId: string) => string | undefined) =>
  EditorView.domEventHandlers({
    paste(event, view) {
      const pasted = event.clipboardData?.getData('text/plain').trim() ?? ''
      const { from, to, empty } = view.state.selection.main
      const selected = view.state.sliceDoc(from, to)
      if (!isWebAddress(pasted) || /[\n[\]]/.test(selected) || isWebAddress(selected)) return false
      const destination = destinationOf(pasted)
      if (empty && !destination.startsWith('note:')) return false
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
