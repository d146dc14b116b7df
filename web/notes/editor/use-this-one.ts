import type { ChangeSpec, Text } from '@codemirror/state'
import { Decoration, type EditorView, WidgetType } from '@codemirror/view'
import { choiceAt } from '../two-versions.ts'

/** The button behind a line that was edited on two devices. It keeps this version alone. */
class UseThisOne extends WidgetType {
  override eq() {
    return true
  }

  override toDOM(view: EditorView) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'note-choice'
    button.tabIndex = -1
    button.textContent = 'Use this one'
    // The focus stays in the text.
    button.addEventListener('mousedown', (event) => event.preventDefault())
    button.addEventListener('click', () =>
      view.dispatch({
        changes: chosen(view.state.doc, view.posAtDOM(button)),
        userEvent: 'input',
      }),
    )
    return button
  }

  override ignoreEvent() {
    return true
  }
}

export const useThisOne = Decoration.widget({ widget: new UseThisOne(), side: 1 })

/** The change that keeps the version of a line at this position, and removes the others. */
export function chosen(doc: Text, position: number): ChangeSpec {
  const lineAt = (number: number) => (number >= 1 && number <= doc.lines ? doc.line(number).text : undefined)
  const { first, last, line } = choiceAt(doc.lineAt(position).number, lineAt)
  return { from: doc.line(first).from, to: doc.line(last).to, insert: line }
}
