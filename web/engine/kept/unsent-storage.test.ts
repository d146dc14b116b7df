import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { randomId } from '../../api/random-id.ts'
import { endSession, removeToken, storedAccount, storeToken } from '../../api/session.ts'
import { localJournalStorage } from '../journal/page-journal.ts'
import {
  countOfOthers,
  damagedUnsent,
  keepUnsent,
  unsentAt,
  unsentKey,
  unsentUnder,
} from './unsent-storage.ts'

const [ann, ben] = ['a', 'b'].map((letter) => letter.repeat(30)) as [string, string]

/** A browser's storage: its keys are properties, as `Object.keys` returns them. */
beforeEach(() => {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null
    },
    setItem(this: Record<string, string>, key: string, text: string) {
      this[key] = text
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key]
    },
    clear(this: Record<string, string>) {
      for (const key of Object.keys(this)) delete this[key]
    },
  }
  vi.stubGlobal('localStorage', Object.create(methods))
  vi.stubGlobal('sessionStorage', Object.create(methods))
  storeToken(ann, 'ann@example.org')
})

afterEach(() => {
  endSession()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const draft = (title: string) => ({ values: { title }, at: 0 })
const noteDraft = (text: string) => ({ id: randomId(), text, stored: { text: '', version: 0 } })

test('What is typed after the server has ended the session waits for the same account, and nothing is kept after a logout', () => {
  const key = unsentKey('draft', storedAccount(), 'add 1')
  removeToken()
  keepUnsent(key, draft('Ferry'))
  storeToken(ben, 'ben@example.org')
  expect([unsentUnder(unsentKey('draft', storedAccount())), countOfOthers()]).toEqual([[], 1])
  keepUnsent(key, draft('Typed on a page of the account before'))
  storeToken(ann, 'ann@example.org')
  expect(unsentUnder(unsentKey('draft', storedAccount()))).toEqual([[key, draft('Ferry')]])
  endSession()
  expect([keepUnsent(key, draft('Ferry')), Object.keys(localStorage)]).toEqual([true, []])
})

test('A damaged value hides no other one', () => {
  const storage = localJournalStorage(storedAccount())
  const entry = {
    mutation: randomId(),
    item: randomId(),
    set: {},
    order: 1,
    at: 0,
    was: {},
    status: 'new',
  } as const
  storage.write(entry)
  const damaged = unsentKey('outbox', storedAccount(), 'm0')
  localStorage.setItem(damaged, '{"mutation":"m0"')
  expect([storage.read(), storage.get('m0')]).toEqual([[entry], undefined])
  expect(damagedUnsent()).toEqual([damaged])
})

test('A full storage is reported, and keeps what it has', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const key = unsentKey('note-draft', storedAccount(), 'tab note')
  const [one, two] = [noteDraft('one'), noteDraft('two')]
  keepUnsent(key, one)
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError')
  })
  expect([keepUnsent(key, two), unsentAt(key)]).toEqual([false, one])
})
