import { expect, test } from 'vitest'
import { ofKind } from '../entry.ts'
import {
  createKnownItems,
  newestOf,
  replaceAll,
  summarized,
  takeAnswer,
  takeExpected,
  takeLog,
} from './known-items.ts'
import { noteWith } from './testing/note-with.ts'
import { taskWith } from './testing/task-with.ts'

const note = (version: number, text: string) => noteWith({ version, text })

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

test('A task that the server is expected to have made is shown until the task is known, however old that is', () => {
  const known = createKnownItems()
  const [guess, real] = [taskWith({ version: 9, title: 'Guess' }), taskWith({ version: 4, title: 'Real' })]
  const shown = () => newestOf(known, guess._id)
  takeExpected(known, guess, 9)
  expect(shown()).toMatchObject({ title: 'Guess' })
  takeLog(known, { items: [real] }, 9)
  expect(shown()).toMatchObject({ title: 'Real', version: 4 })
  takeExpected(known, guess, 9)
  expect(shown()).toMatchObject({ title: 'Real' })
  // It was removed for good by an undo, and is made again.
  takeLog(known, { purged: [guess._id] }, 10)
  takeExpected(known, guess, 9)
  expect(shown(), 'The answer came after the log').toBeUndefined()
  takeExpected(known, taskWith({ version: 12 }), 12)
  expect(shown()).toMatchObject({ version: 12 })
  takeLog(known, { purged: [guess._id] }, 11)
  expect(shown(), 'An older removal').toMatchObject({ version: 12 })
})

test('A task that the server is expected to have made is shown unless the log was read to its end without it', () => {
  const shownAfter = (passed: number) => {
    const known = createKnownItems()
    // It can be in a later part, because it was changed again.
    takeLog(known, {}, 9)
    known.passed = passed
    takeExpected(known, taskWith({ version: 5 }), 5)
    return known.ahead.size > 0
  }
  expect([4, 5, 9].map(shownAfter)).toEqual([true, false, false])
})
