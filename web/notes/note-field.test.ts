import { expect, test } from 'vitest'
import { createListeners } from '../api/listeners.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { keepTyped, takeTyped } from '../ui/held-keys.ts'
import { writeAhead } from './note-field.ts'

function shownNote(text: string) {
  const merges = createListeners()
  const note = {
    text,
    edit(next: string) {
      note.text = next
    },
    onMerge: merges.subscribe,
    shown: merges.tell,
  }
  return note
}

test('What is typed before the editor has loaded is shown in its place, and is apart from the text also after a change of another device', () => {
  const note = shownNote('one\r\ntwo')
  let shows = 0
  note.onMerge(() => shows++)
  keepTyped(' and a half')
  const writing = writeAhead(note as unknown as NoteDocument, 3, () => {})
  writing.follow()
  expect(note.text).toBe('one and a half\r\ntwo')
  expect(shows).toBe(1)
  expect(writing.text()).toBe('one\ntwo')

  note.text = 'zero\r\none and a half\r\ntwo'
  note.shown()
  expect(writing.text()).toBe('zero\none\ntwo')
  expect(writing.place()).toEqual({ anchor: 'zero\none'.length, head: 'zero\none'.length })
  writing.stop()
  expect(takeTyped()).toBe(' and a half')
})
