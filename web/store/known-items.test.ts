import { expect, test } from 'vitest'
import type { Note } from '#contract/notes.ts'
import { createKnownItems, newestOf, replaceAll, summarized, takeAnswer } from './known-items.ts'
import { ofKind } from './pending-change.ts'

const note = (version: number, text: string): Note => ({
  ...{ _id: 'note', version, text, pinned: false, createdAt: '', changedAt: '', deletedAt: null },
})

test('A text that this device has kept is known, also if the note has changed since', () => {
  const known = createKnownItems()
  takeAnswer(known, { notes: [summarized(note(2, 'Ferry at nine'))] })
  takeAnswer(known, { texts: [note(1, 'Ferry')] })
  expect(known.texts.get('note')?.text).toBe('Ferry')
  expect(newestOf(known, 'note')).toMatchObject({ version: 2, title: 'Ferry at nine' })
  takeAnswer(known, { texts: [note(2, 'Ferry at nine')] })
  takeAnswer(known, { texts: [note(1, 'Ferry')] })
  expect(known.texts.get('note')?.text).toBe('Ferry at nine')
})

test('After the restore of a backup an older text is taken', () => {
  const known = createKnownItems()
  takeAnswer(known, { texts: [note(2, 'Ferry at nine')] })
  replaceAll(known, [ofKind('note', summarized(note(1, 'Ferry')))])
  takeAnswer(known, { texts: [note(1, 'Ferry')] })
  expect(known.texts.get('note')?.text).toBe('Ferry')
})
