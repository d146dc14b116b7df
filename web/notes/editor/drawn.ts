import { type EditorView, WidgetType } from '@codemirror/view'

/** An element in the text, which is drawn again when its key is another one. What happens in it does not concern the editor. */
export class Drawn extends WidgetType {
  /** All that the element shows, behind the name of its kind. */
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

/** An element without text, or with a sign. A press on it moves the caret there. */
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

/** A button or a checkbox in the text. The focus stays in the text, and a checkbox as it is. */
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
