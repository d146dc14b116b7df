import { expect, test } from 'vitest'
import { type Change, type Entry, titleIn } from './entry.ts'

const made = { mutation: 'm', item: 'a', order: 1, at: 0, was: undefined }

test('An unsent change names its item by what it contains, with or without the title that later builds store', () => {
  const titled = (change: object) => titleIn({ ...made, ...change } as unknown as Entry)
  const undo = { of: 'another' }
  expect(titled({ set: { title: 'Ferry' }, title: 'Boat' })).toBe('Ferry')
  expect(titled({ set: { done: true }, title: 'Boat', was: { body: 'Oars' } })).toBe('Boat')
  expect(titled({ set: { dueDate: '2026-11-27' }, was: { title: 'Boat' } })).toBe('Boat')
  expect(titled({ undo, shows: { a: { title: 'Boat' }, b: { title: 'Oars' } } })).toBe('Boat')
  expect(titled({ set: { body: '\nOars and sail\nRope' } })).toBe('Oars and sail')
  expect(titled({ check: { line: 0, text: 'Oars', checked: true } })).toBe('Oars')
  for (const change of [{ set: { done: true } }, { undo, shows: {} }] as Partial<Change>[])
    expect(titled(change)).toBe('')
})
