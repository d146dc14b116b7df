import { syntaxTree } from '@codemirror/language'
import type { EditorState, Line, StateCommand } from '@codemirror/state'
import { EditorSelection } from '@codemirror/state'
import { EditorView, type KeyBinding } from '@codemirror/view'
import { isWebAddress, noteIdIn } from '../markdown/note-address.ts'
import { linkTo } from '../task-line.ts'

/** The mark of a list item or quote: indentation, bullet or number, and checkbox. */
const listMark = /^(\s*)(?:([-*+])|(\d{1,9})([.)])|(>))( +)(\[[ xX]\] )?/

/** The mark that the next line of a list begins with. */
function nextMark([
  ,
  indentation = '',
  bullet,
  number,
  delimiter,
  quote,
  space = ' ',
  checkbox,
]: RegExpExecArray) {
  const mark = bullet ?? quote ?? `${Number(number) + 1}${delimiter}`
  return `${indentation}${mark}${space}${checkbox ? '[ ] ' : ''}`
}

/** A line of code that looks like a list item is code. */
export const isInCode = (state: EditorState, position: number) =>
  ['CodeText', 'CodeBlock', 'FencedCode'].includes(syntaxTree(state).resolveInner(position, -1).name)

/** Enter continues a list. On an item without text it ends the list. */
const continueList: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  const line = state.doc.lineAt(main.head)
  const match = listMark.exec(line.text)
  if (!match || !main.empty || state.selection.ranges.length > 1) return false
  const [mark] = match
  if (main.head < line.from + mark.length || isInCode(state, main.head)) return false
  const isEmpty = line.text.trim() === mark.trim()
  const change = isEmpty
    ? { changes: { from: line.from, to: line.to }, selection: { anchor: line.from } }
    : state.replaceSelection(`\n${nextMark(match)}`)
  dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }))
  return true
}

const indentationOf = ([, indentation = '']: RegExpExecArray) => indentation.length

/** How far the text of an item is from its mark: an item that is as far inward is one level below it. */
const levelWidth = ([, , , number, , , space = '']: RegExpExecArray) =>
  (number === undefined ? 1 : number.length + 1) + space.length

/** The nearest list item above a line, in the same list, that is indented by `most` at most. */
function itemAbove(state: EditorState, line: Line, maxIndentation: number): RegExpExecArray | undefined {
  for (let number = line.number - 1; number > 0; number--) {
    const { text } = state.doc.line(number)
    const match = listMark.exec(text)
    if (match && indentationOf(match) <= maxIndentation) return match
    if (!match && /^\S/.test(text)) return undefined
  }
  return undefined
}

/** Tab and Shift+Tab move a list item one level; elsewhere Tab moves the focus, as in every field. */
const indentItem =
  (isOutward: boolean): StateCommand =>
  ({ state, dispatch }) => {
    const line = state.doc.lineAt(state.selection.main.head)
    const match = listMark.exec(line.text)
    if (!match) return false
    const indentation = indentationOf(match)
    if (isOutward && indentation === 0) return false
    const above = itemAbove(state, line, isOutward ? indentation - 1 : indentation)
    const outward = indentation - (above ? indentationOf(above) : Math.max(0, indentation - 2))
    const changes = isOutward
      ? { from: line.from, to: line.from + outward }
      : { from: line.from, insert: ' '.repeat(above ? levelWidth(above) : 2) }
    dispatch(state.update({ changes, userEvent: 'input.indent' }))
    return true
  }

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
  { key: 'Enter', run: continueList },
  { key: 'Tab', run: indentItem(false), shift: indentItem(true) },
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
