import { expect, test } from 'vitest'
import type { Entry } from '../entry.ts'
import type { Store } from '../store/store.ts'
import { taskWith } from '../store/testing/task-with.ts'
import { mayBeStored } from '../unsent-names.ts'
import { requestOf } from './requests.ts'

const stored = taskWith({ body: '- [ ] milk' })
const entry = { mutation: 'm', item: stored._id, order: 1, at: 0, was: {} }
const rejected = (change: object, status: number) =>
  ({ ...entry, ...change, failure: { status, reason: '' } }) as Entry
const edit = { set: { title: 'Ferry' }, base: 1 }
const tick = { check: { line: 0, text: 'milk', checked: true } }

test('A change that the server rejects each time, or whose item it no longer has, is not offered to be sent again', () => {
  for (const status of [400, 413]) expect(mayBeStored(rejected(edit, status), stored)).toBe(false)
  for (const change of [edit, tick]) {
    expect(mayBeStored(rejected(change, 404), undefined)).toBe(false)
    expect(mayBeStored(rejected(change, 404), stored)).toBe(true)
  }
  expect(mayBeStored(rejected(tick, 409), taskWith({ body: '- [ ] bread' }))).toBe(false)
  for (const undo of [{ of: 'another' }, { seq: 7 }])
    expect(mayBeStored(rejected({ undo, shows: {} }, 409), stored)).toBe(false)
  for (const status of [0, 409, 500, 503]) expect(mayBeStored(rejected(edit, status), stored)).toBe(true)
})

test('The text of a note is sent with the version that was read, whatever the store knows of later ones', () => {
  const renamed = { ...entry, kind: 'note', set: { text: 'Sow' }, base: 3, was: {} } as Entry
  const store = { stored: () => ({ kind: 'note', version: 5 }) } as unknown as Store
  expect(requestOf(renamed, store, 0)).toMatchObject({ base: 3 })
  expect(mayBeStored({ ...renamed, failure: { status: 409, reason: '' } }, stored)).toBe(false)
})

test('The text of a note that is changed alone is a group of its own, so that the server keeps the text before it', () => {
  const renamed = { ...entry, kind: 'note', set: { text: 'Sow' }, base: 3 } as Entry
  const sent = (own: Entry) => requestOf(own, { stored: () => undefined } as unknown as Store, 0)
  expect(sent(renamed)).toMatchObject({ group: 'm' })
  expect(sent({ ...renamed, group: 'g' })).toMatchObject({ group: 'g' })
  expect(sent({ ...renamed, set: { pinned: true } })).not.toHaveProperty('group')
})

test('The completion of a repeat is sent with the day on which it was made, and that of another task is not', () => {
  const done = { ...entry, at: new Date(2026, 10, 26, 23, 30).getTime(), set: { done: true } } as Entry
  const sent = (task: object) =>
    requestOf(done, { stored: () => task } as unknown as Store, new Date(2026, 10, 28, 9).getTime())
  expect(sent(taskWith({ repeat: 'FREQ=DAILY' }))).toMatchObject({ day: '2026-11-26' })
  expect(sent(taskWith({ repeat: null }))).not.toHaveProperty('day')
})
