import { expect, onTestFinished, test, vi } from 'vitest'
import { randomId } from '../entry.ts'
import { localJournalStorage } from '../journal/entries.ts'
import { memoryStorage } from '../testing/test-needs.ts'
import { createUnsent } from './unsent-storage.ts'

const note = (text: string) => ({ id: randomId(), text, stored: { text: '', version: 0 } })
const draft = (title: string) => ({ values: { title }, at: 0 })

/** The pages of two accounts in one browser, and what happens to the session of the first. */
function browser() {
  const local = memoryStorage()
  const state = { isOver: false, hasEnded: false }
  const session = { isOver: () => state.isOver, hasEnded: () => state.hasEnded }
  const ann = createUnsent({ account: 'ann', local, ...session })
  return { local, state, ann, ben: createUnsent({ account: 'ben', local, ...session }) }
}

test('What is typed after the server has ended the session waits for the same account, and nothing is kept after a logout', () => {
  const { local, state, ann, ben } = browser()
  const key = ann.key('draft', 'add 1')
  Object.assign(state, { isOver: true, hasEnded: true })
  ann.keep(key, draft('Ferry'))
  Object.assign(state, { hasEnded: false })
  expect([ben.under(ben.key('draft')), ben.countOfOthers()]).toEqual([[], 1])
  ann.keep(key, draft('Typed on a page of the account before'))
  expect(ann.under(ann.key('draft'))).toEqual([[key, draft('Ferry')]])
  local.removeItem(key)
  expect([ann.keep(key, draft('Ferry')), Object.keys(local)]).toEqual([true, []])
})

test('A damaged value hides no other one', () => {
  const { local, ann } = browser()
  const storage = localJournalStorage(ann, { onStored() {} })
  const [mutation, item] = [randomId(), randomId()]
  const entry = { mutation, item, set: {}, order: 1, at: 0, was: {}, status: 'new' } as const
  storage.write(entry)
  const damaged = ann.key('outbox', 'm0')
  local.setItem(damaged, '{"mutation":"m0"')
  expect([storage.read(), storage.get('m0')]).toEqual([[entry], undefined])
  expect(ann.damaged()).toEqual([damaged])
})

test('A full storage is reported, and keeps what it has', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  const { local, ann } = browser()
  const key = ann.key('note-draft', 'tab note')
  const [one, two] = [note('one'), note('two')]
  ann.keep(key, one)
  Object.freeze(local)
  expect([ann.keep(key, two), ann.at(key)]).toEqual([false, one])
})
