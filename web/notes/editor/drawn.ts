import { type EditorView, WidgetType } from '@codemirror/view'

/** An element in the text, drawn again when its key changes. The editor ignores its events. */
export class Drawn extends WidgetType {
  /** The kind of the element and everything that it shows. */
  readonly key: string
  override readonly toDOM: (view: EditorView) => HTMLElement

  constructor(key: string, draw: (view: EditorView) => HTMLElement) {
    super()
    this.key = key
    this.toDOM = draw
  }

  override eq(other: Drawn) {
    return other.key === this.key
  }
}

/** An element that is empty or a sign. A press on it moves the caret there. */
export class Sign extends Drawn {
  constructor(className: string, textContent = '') {
    super(`${className} ${textContent}`, () =>
      Object.assign(document.createElement('span'), { className, textContent }),
    )
  }

  override ignoreEvent() {
    return false
  }
}

/** A button or a checkbox. A press leaves the focus in the text, and the checkbox as it is. */
export function control<Name extends 'button' | 'input'>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  onPress: (element: HTMLElement) => void,
): HTMLElementTagNameMap[Name] {
  const type = name === 'button' ? 'button' : 'checkbox'
  const element = Object.assign(document.createElement(name), { tabIndex: -1, type }, properties)
  element.addEventListener('mousedown', (event) => event.preventDefault())
  element.addEventListener('click', (event) => {
    event.preventDefault()
    onPress(element)
  })
  return element
}
