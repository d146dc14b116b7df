import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { findWords } from '#contract/find-words.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { endTypeAhead, takeTyped, typeAhead, typedAhead } from '../ui/held-keys.ts'
import { useKeyDown } from '../ui/use-key-down.ts'
import { shownWords } from '../views/views.ts'
import type { NoteTextField } from './editor/note-text-field.ts'
import { type Editor, type FieldUses, mountNoteField, writeAhead } from './note-field.ts'
import { selectedRange } from './selected-range.ts'

/** Where the caret is when the opened text takes the focus. */
export type NoteFocus = 'at the end' | 'where it was' | undefined

export type FieldPress = (field: NoteTextField) => void

type NoteTextProps = {
  note: NoteDocument
  editor: Editor | undefined
  field: RefObject<NoteTextField | undefined>
  focus: NoteFocus
  /** What was pressed before the editor was there. */
  presses: RefObject<FieldPress[]>
  uses: FieldUses
  children: ReactNode
}

/**
 * The children, which are the note in its reading view, until the editor is there: keys and presses in the text are for the editor. React
 * does not render it, so that no rendering delays its keys.
 */
export function NoteText({ note, editor, field, focus, presses, uses, children }: NoteTextProps) {
  const host = useRef<HTMLDivElement>(null)
  const ahead = useRef<ReturnType<typeof writeAhead>>(undefined)
  const scrollTop = useRef(0)
  // An input method would lose the text that it is composing, and a dialog would give the focus back to nothing.
  const [isUsed, setUsed] = useState(false)
  const shownEditor = isUsed ? undefined : editor
  const { key, state } = useLocation()
  const words: readonly string[] | undefined = state?.[shownWords]
  // The functions do not depend on later renderings.
  const [first] = useState({ ...uses, focus, words })

  // What is typed next is not for this note.
  useEffect(() => () => void (field.current ?? endTypeAhead()), [field])
  useEffect(() => {
    if (!host.current) return
    const { left, focus, words = [] } = first
    if (shownEditor) {
      const text = typedAhead() === undefined ? undefined : ahead.current?.text()
      return mountNoteField(host.current, note, field, first, shownEditor, text)
    }
    const was = { head: 0, scrollTop: 0, ...left.get(note.id) }
    const place =
      focus === 'at the end' ? note.text.length : (findWords(note.text, words)[0]?.from ?? was.head)
    const writing = writeAhead(note, place, setUsed)
    ahead.current = writing
    if (focus) typeAhead(true)
    return () => {
      writing.stop()
      left.add(note.id, { ...writing.place(), scrollTop: scrollTop.current || was.scrollTop })
    }
  }, [note, shownEditor, field, first])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening does this, also of a note that is open already
  useEffect(() => {
    const shownField = field.current
    if (!shownField) return ahead.current?.follow()
    const isWritten = ahead.current !== undefined
    ahead.current = undefined
    const typed = typedAhead()
    if (words && !typed) shownField.reveal(words)
    if (isWritten ? typed !== undefined : focus) {
      if (isWritten || focus === 'where it was' || words) shownField.enter()
      else shownField.focus()
      const all = takeTyped()
      if (all) shownField.type(all)
    }
    for (const press of presses.current.splice(0)) press(shownField)
  }, [note, shownEditor, key])

  const isAhead = shownEditor === undefined
  function writeOverSelection() {
    ahead.current?.goTo(selectedRange(ahead.current.text()))
    typeAhead(true)
  }
  useKeyDown(
    isAhead,
    (event) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const isText = [...key].length === 1 && !ctrlKey && !metaKey && !altKey
      const selection = getSelection()
      const isSelected = selection?.isCollapsed === false && host.current?.contains(selection.anchorNode)
      if (!isText || !isSelected || !document.activeElement?.contains(host.current)) return
      // It is no key of the page. The browser types it into the field.
      event.stopPropagation()
      writeOverSelection()
    },
    true,
  )
  function press({ target, clientX: x, clientY: y }: MouseEvent) {
    const isSelecting = getSelection()?.isCollapsed === false
    if (isSelecting || (target as Element).closest('a, button, input, label')) return
    writeOverSelection()
    const { text } = note
    // The editor alone knows each place.
    presses.current.push((shownField) => note.text === text && shownField.goToPoint({ x, y }))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keys are taken by a field beside it
    <div
      ref={host}
      className={isAhead ? 'note-field note-ahead' : 'note-field'}
      onClick={isAhead ? press : undefined}
      onScroll={({ currentTarget }) => {
        scrollTop.current = currentTarget.scrollTop
      }}
    >
      {isAhead && children}
    </div>
  )
}
