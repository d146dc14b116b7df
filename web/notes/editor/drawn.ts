import { type EditorView, WidgetType } from '@codemirror/view'

/** An element in the text, which is drawn again when its key is another one. What happens in it does not concern the editor. */
class Drawn extends WidgetType {
  readonly key: string
  readonly draw: (view: EditorView) => HTMLElement

  constructor(key: string, draw: (view: EditorView) => HTMLElement) {
    super()
    this.key = key
    this.draw = draw
  }

  override eq(other: Drawn) {
    return other.key === this.key
  }

  override toDOM(view: EditorView) {
    return this.draw(view)
  }
}

/** A press on it moves the caret there. */
class Sign extends Drawn {
  override ignoreEvent() {
    return false
  }
}

/** `key`: all that the element shows, behind the name of its kind. */
export const drawn = (key: string, draw: (view: EditorView) => HTMLElement): WidgetType =>
  new Drawn(key, draw)

/** An element without text, or with a sign. */
export const sign = (className: string, text = ''): WidgetType =>
  new Sign(`${className} ${text}`, () =>
    Object.assign(document.createElement('span'), { className, textContent: text }),
  )

/** A button or a checkbox in the text. The focus stays in the text, and a checkbox as it is. */
export function control<Name extends 'button' | 'input'>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  onPress: (element: HTMLElement) => void,
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), { tabIndex: -1 }, properties)
  element.addEventListener('mousedown', (event) => event.preventDefault())
  element.addEventListener('click', (event) => {
    event.preventDefault()
    onPress(element)
  })
  return element
}
