import { history } from '@codemirror/commands'
import { defineLanguageFacet, Language } from '@codemirror/language'
import { EditorState, type Extension, type StateCommand, type Transaction } from '@codemirror/state'
import type { EditorView, KeyBinding } from '@codemirror/view'
import { listFilters } from '../editor/paste-items.ts'
import { noteParser } from '../markdown/note-parser.ts'

export const markdown = new Language(defineLanguageFacet(), noteParser).extension
export const extensions = [markdown, history(), listFilters]

/** A text where `‹` and `›` are the ends of the selection, and `¦` is the caret. */
export function stateOf(marked: string, given: Extension = extensions): EditorState {
  const text = marked.replace('¦', '‹›')
  const selection = { anchor: text.indexOf('‹'), head: text.indexOf('›') - 1 }
  return EditorState.create({ doc: text.replace(/[‹›]/g, ''), selection, extensions: given })
}

export function markedOf({ doc, selection: { main } }: EditorState): string {
  const text = doc.toString()
  const selected = main.empty ? '¦' : `‹${text.slice(main.from, main.to)}›`
  return text.slice(0, main.from) + selected + text.slice(main.to)
}

export function run(state: EditorState, command: StateCommand): EditorState {
  let result = state
  const dispatch = (transaction: Transaction) => (result = transaction.state)
  command({ state, dispatch })
  return result
}

/** Returns the function that returns the command of a key. */
export const commandsOf =
  (keys: readonly KeyBinding[]) =>
  (key: string, isShifted = false): StateCommand => {
    const binding = keys.find((other) => other.key === key)
    const command = isShifted ? binding?.shift : binding?.run
    return (target) => command?.(target as unknown as EditorView) ?? false
  }
