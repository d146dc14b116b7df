import { mapPosition, textChanges } from './line-changes.ts'
import type { FieldOptions, FieldState, NoteTextField } from './text-field.ts'

/** Milliseconds after the last input during which the field is not replaced. */
const rest = 400

export type NoteTextArea = NoteTextField & {
  /** Whether the field can be replaced now: nothing is being composed, dragged or typed in it. */
  isIdle: () => boolean
  state: () => FieldState
}

/** The field that works before the editor has loaded, and where it cannot be loaded. */
export function createTextArea(parent: HTMLElement, options: FieldOptions): NoteTextArea {
  const area = document.createElement('textarea')
  area.className = 'note-area'
  area.setAttribute('aria-label', options.label)
  area.placeholder = 'The first line is the title'
  area.dir = 'auto'
  area.value = options.text
  let opened = options.text
  let isComposing = false
  let isPressed = false
  let lastInput = Number.NEGATIVE_INFINITY
  const compose = (next: boolean) => () => {
    isComposing = next
    options.onComposition(next)
  }
  area.addEventListener('input', () => {
    lastInput = performance.now()
    options.onEdit(() => area.value)
  })
  area.addEventListener('compositionstart', compose(true))
  area.addEventListener('compositionend', compose(false))
  area.addEventListener('pointerdown', () => {
    isPressed = true
    window.addEventListener('pointerup', () => (isPressed = false), { once: true })
    window.addEventListener('pointercancel', () => (isPressed = false), { once: true })
  })
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!event.repeat) options.onMakeTask()
  })
  parent.append(area)

  return {
    focus: () => area.focus({ preventScroll: true }),
    isIdle: () => !isComposing && !isPressed && performance.now() - lastInput > rest,
    state() {
      const { selectionStart, selectionEnd, selectionDirection, scrollTop } = area
      const isBackward = selectionDirection === 'backward'
      return {
        anchor: isBackward ? selectionEnd : selectionStart,
        head: isBackward ? selectionStart : selectionEnd,
        hasFocus: document.activeElement === area,
        scrollTop,
        opened,
      }
    },
    show(text) {
      const changes = textChanges(area.value, text)
      const { selectionStart, selectionEnd, selectionDirection, scrollTop } = area
      area.value = text
      area.setSelectionRange(
        mapPosition(selectionStart, changes),
        mapPosition(selectionEnd, changes),
        selectionDirection,
      )
      area.scrollTop = scrollTop
      // Undoing what was typed before would undo what others wrote, too.
      opened = text
    },
    caretLine() {
      const { value, selectionStart } = area
      const from = value.lastIndexOf('\n', selectionStart - 1) + 1
      const end = value.indexOf('\n', selectionStart)
      return { from, text: value.slice(from, end < 0 ? value.length : end) }
    },
    replaceLine({ from, text }, replacement) {
      if (area.value.slice(from, from + text.length) !== text) return false
      area.setRangeText(replacement, from, from + text.length, 'end')
      options.onEdit(() => area.value)
      return true
    },
    remove: () => area.remove(),
  }
}
