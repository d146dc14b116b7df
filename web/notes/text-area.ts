import { findWords } from '#contract/find-words.ts'
import { mapPosition, textChanges } from '../engine/notes/line-changes.ts'
import { pressedKey } from '../ui/pressed-key.ts'
import { lineMarks, linkAround } from './editor/format.ts'
import type { CaretPlace, FieldOptions, NoteTextField } from './editor/note-text-field.ts'

/** Milliseconds after the last input during which the field is not replaced. */
const rest = 400

export type NoteTextArea = NoteTextField & {
  /** Whether the field can be replaced now: nothing is being composed, dragged or typed in it. */
  isIdle: () => boolean
  /** The words that the editor marks in its place, unless anything was typed. */
  revealed: () => readonly string[]
}

const beginning = { anchor: 0, head: 0, scrollTop: 0 }

/** The field that works before the editor has loaded, and where it cannot be loaded. */
export function createTextArea(
  parent: HTMLElement,
  options: FieldOptions,
  { anchor, head, scrollTop }: CaretPlace = beginning,
): NoteTextArea {
  const area = document.createElement('textarea')
  area.className = 'note-area'
  area.setAttribute('aria-label', 'Note')
  area.placeholder = 'The first line is the title'
  area.dir = 'auto'
  area.value = options.text
  const direction = anchor > head ? 'backward' : 'forward'
  area.setSelectionRange(Math.min(anchor, head), Math.max(anchor, head), direction)
  let opened = options.text
  let isComposing = false
  let isPressed = false
  let revealed: readonly string[] = []
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
    if (pressedKey(event) !== 'Enter' || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (!event.repeat) options.onMakeTask()
  })
  parent.append(area)
  area.scrollTop = scrollTop

  return {
    focus() {
      area.setSelectionRange(area.value.length, area.value.length)
      area.focus({ preventScroll: true })
    },
    enter: () => area.focus({ preventScroll: true }),
    isIdle: () => !isComposing && !isPressed && performance.now() - lastInput > rest,
    revealed: () => (lastInput >= 0 ? [] : revealed),
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
      // Undoing earlier typing would undo the changes of others, too.
      opened = text
    },
    caretLine() {
      const { value, selectionStart } = area
      const from = value.lastIndexOf('\n', selectionStart - 1) + 1
      const end = value.indexOf('\n', selectionStart)
      const number = value.slice(0, from).split('\n').length - 1
      return { number, text: value.slice(from, end < 0 ? value.length : end) }
    },
    type(text) {
      area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
      options.onEdit(() => area.value)
    },
    format(format) {
      const { value, selectionStart: start, selectionEnd: end } = area
      // The editor, which comes soon, has the others.
      if (format === 'table' || format === 'indent' || format === 'outdent' || format === 'undo')
        return area.focus()
      if (format === 'link') area.setRangeText(linkAround(value.slice(start, end)), start, end, 'end')
      else {
        const from = value.lastIndexOf('\n', start - 1) + 1
        const last = end > start && value[end - 1] === '\n' ? end - 1 : end
        const to = value.indexOf('\n', last)
        const lines = value.slice(from, to < 0 ? value.length : to).split('\n')
        let lineFrom = from
        for (const [index, { before, after }] of lineMarks(lines, format).entries()) {
          const mode = area.selectionStart === lineFrom && lines.length === 1 ? 'end' : 'preserve'
          area.setRangeText(after, lineFrom, lineFrom + before.length, mode)
          lineFrom += (lines[index]?.length ?? 0) + after.length - before.length + 1
        }
      }
      area.focus({ preventScroll: true })
      options.onEdit(() => area.value)
    },
    // The search of the browser finds all of its text.
    find() {},
    reveal(words) {
      revealed = words
      const [first] = findWords(area.value, words)
      if (!first) return
      area.setSelectionRange(first.from, first.from)
    },
    goTo: (position) => area.setSelectionRange(position, position),
    // Its own undo ends where a text is shown that was not typed.
    placeTask: () => {},
    remove: () => area.remove(),
  }
}
