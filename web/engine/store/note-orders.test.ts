import { expect, test } from 'vitest'
import { createStore } from './store.ts'

let version = 0

const note = (title: string, changed: number, created: number, pinned = false) => ({
  ...{ _id: title || 'untitled', title, snippet: '', pinned, deletedAt: null, version: ++version },
  changedAt: `2026-11-0${changed}T12:00:00.000Z`,
  createdAt: `2026-10-0${created}T12:00:00.000Z`,
})

test('Notes are ordered by change, creation or title, pinned ones first, and each change keeps the order', () => {
  const store = createStore()
  const titles = (order: 'changed' | 'created' | 'title') =>
    store.orderedNotes(order, 'en').map(({ title }) => title)
  store.put({
    notes: [note('Äpfel 10', 1, 3), note('**apfel 9**', 2, 2), note('', 3, 1), note('Zoo', 1, 1, true)],
  })
  expect(titles('changed')).toEqual(['Zoo', '', '**apfel 9**', 'Äpfel 10'])
  expect(titles('created')).toEqual(['Zoo', 'Äpfel 10', '**apfel 9**', ''])
  expect(titles('title')).toEqual(['Zoo', '**apfel 9**', 'Äpfel 10', ''])
  store.put({ notes: [{ ...note('Banana', 4, 4), _id: 'untitled' }, note('Yard', 5, 5)] })
  expect(titles('title')).toEqual(['Zoo', '**apfel 9**', 'Äpfel 10', 'Banana', 'Yard'])
  expect(titles('created').slice(1, 3)).toEqual(['Yard', 'Banana'])
})
