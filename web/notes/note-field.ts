import type { RefObject } from 'react'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { editor } from '../parts/parts.ts'
import type { CaretLine, FieldOptions, NoteTextField } from './editor/note-text-field.ts'
import type { WidgetUses } from './editor/widgets.ts'
import type { LeftFields } from './left-fields.ts'
import { shownText, storedText } from './line-endings.ts'
import { createTextArea, type NoteTextArea } from './text-area.ts'

type Editor = Awaited<ReturnType<typeof editor.load>>

export type FieldUses = WidgetUses & {
  onMakeTask: (line: CaretLine) => void
  onType: () => void
  left: LeftFields
}

/** How often a text area that is in use is looked at, in milliseconds, until the editor can take its place. */
const lookInterval = 100

/**
 * Shows a note in a text area at once, and in the editor as soon as that has loaded and nothing is being typed. `shownField` is the field
 * that is shown. Returns the function that removes it.
 */
export function mountNoteField(
  parent: HTMLElement,
  note: NoteDocument,
  shownField: RefObject<NoteTextField | undefined>,
  uses: FieldUses,
) {
  let hasReturns = false
  const shown = () => {
    hasReturns = note.text.includes('\r')
    return shownText(note.text)
  }
  const options = (): FieldOptions => ({
    text: shown(),
    onEdit(read) {
      uses.onType()
      // Reading a long text at every keystroke would take time; only Windows line breaks need it at once.
      note.edit(hasReturns ? storedText(note.text, read()) : read)
    },
    onComposition: note.compose,
    onMakeTask: () => uses.onMakeTask(field.caretLine()),
  })
  let isMounted = true
  const loaded = editor.state.getState()
  let field: NoteTextField = typeof loaded === 'object' ? beginWithEditor(loaded) : beginWithTextArea()
  shownField.current = field
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopMerging = note.onMerge(() => field.show(shown()))
  window.addEventListener('pagehide', keepPlace)

  /** Caret, place and undo are as they were when the note was left. */
  function beginWithEditor({ createEditor }: Editor) {
    const left = uses.left.get(note.id)
    const begin = left && { ...left, hasFocus: false, opened: shown() }
    return createEditor(parent, options(), uses, begin)
  }

  const keepLeft = () => uses.left.add(note.id, field.state())

  function keepPlace() {
    keepLeft()
    uses.left.keepPlaces()
  }

  function beginWithTextArea(): NoteTextArea {
    const area = createTextArea(parent, options(), uses.left.get(note.id))
    // If that fails, the text area stays, and the next note tries again.
    editor.load().then(
      (loaded) => isMounted && replaceWhenIdle(area, loaded),
      () => {},
    )
    return area
  }

  function replaceWhenIdle(area: NoteTextArea, loaded: Editor) {
    if (!area.isIdle()) {
      timer = setTimeout(() => replaceWhenIdle(area, loaded), lookInterval)
      return
    }
    // In one turn of the event loop: a key that is pressed meanwhile goes to the field that has the focus then.
    field = loaded.createEditor(parent, options(), uses, area.state())
    shownField.current = field
    area.remove()
    field.reveal(area.revealed())
  }

  return () => {
    isMounted = false
    clearTimeout(timer)
    stopMerging()
    window.removeEventListener('pagehide', keepPlace)
    // A composition that is cut off ends here.
    note.compose(false)
    keepLeft()
    field.remove()
    shownField.current = undefined
  }
}
