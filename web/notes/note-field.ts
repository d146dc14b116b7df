import type { RefObject } from 'react'
import type { Range } from '#contract/ranges.ts'
import { mapPosition, textChanges } from '../engine/notes/line-changes.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import type { editor } from '../parts/parts.ts'
import { followTyped } from '../ui/held-keys.ts'
import type { NoteTextField } from './editor/note-text-field.ts'
import type { WidgetUses } from './editor/widgets.ts'
import type { LeftFields } from './left-fields.ts'
import { shownText, storedText } from './line-endings.ts'

export type Editor = Awaited<ReturnType<typeof editor.load>>

export type FieldUses = WidgetUses & {
  onType: () => void
  left: LeftFields
}

/**
 * Puts what is typed before the editor has loaded into the note, in place of this range, so that it is seen and saved. `text` is the note
 * without it: there the editor types it again, so that it can be undone.
 */
export function writeAhead(note: NoteDocument, begin: number, onUse: (isUsed: boolean) => void) {
  let text = shownText(note.text)
  let from = Math.min(begin, text.length)
  let to = from
  let written = ''
  const whole = () => (written ? text.slice(0, from) + written + text.slice(to) : text)
  const stopMerging = note.onMerge(() => {
    const merged = shownText(note.text)
    const changes = textChanges(whole(), merged)
    const replaced = text.slice(from, to)
    const end = mapPosition(written ? from + written.length : to, changes)
    from = mapPosition(from, changes)
    if (written) {
      text = merged.slice(0, from) + replaced + merged.slice(end)
      to = from + replaced.length
    } else {
      text = merged
      to = end
    }
  })
  return {
    text: () => text,
    place: () => ({ anchor: from, head: to }),
    /** Without a range, to the end. */
    goTo(range: Range | undefined) {
      ;({ from, to } = range ?? { from: text.length, to: text.length })
    },
    /** With each opening of the note. */
    follow() {
      followTyped((typed, isUsed, isEnd) => {
        const isNew = typed !== written
        written = typed
        if (isNew) note.edit(storedText(note.text, whole()))
        onUse(isUsed)
        if (isNew) note.shown()
        if (!isEnd) return
        text = whole()
        if (written) from += written.length
        to = from
        written = ''
      })
    },
    stop() {
      followTyped(undefined)
      stopMerging()
    },
  }
}

/** Shows a note in the editor. `shownField` is the field that is shown. Returns the function that removes it. */
export function mountNoteField(
  parent: HTMLElement,
  note: NoteDocument,
  shownField: RefObject<NoteTextField | undefined>,
  uses: FieldUses,
  { createEditor }: Editor,
  text = shownText(note.text),
) {
  let hasReturns = note.text.includes('\r')
  const field = createEditor(
    parent,
    {
      text,
      onEdit(read) {
        uses.onType()
        // Reading a long text at every keystroke would take time; only Windows line breaks need it at once.
        note.edit(hasReturns ? storedText(note.text, read()) : read)
      },
      onComposition: note.compose,
    },
    uses,
    // Caret, place and undo are as they were when the note was left.
    uses.left.get(note.id),
  )
  shownField.current = field
  const stopMerging = note.onMerge(() => {
    hasReturns = note.text.includes('\r')
    field.show(shownText(note.text))
  })
  window.addEventListener('pagehide', keepPlace)

  const keepLeft = () => uses.left.add(note.id, field.state())

  function keepPlace() {
    keepLeft()
    uses.left.keepPlaces()
  }

  return () => {
    stopMerging()
    window.removeEventListener('pagehide', keepPlace)
    // A composition that is cut off ends here.
    note.compose(false)
    keepLeft()
    field.remove()
    shownField.current = undefined
  }
}
