import { expect, test } from 'vitest'
import { findDates, phrasesIn } from '../testing/word-readers.ts'
import { typedDay } from './typed-day.ts'

/** A Wednesday. */
const now = { today: '2026-11-25', time: '14:00' }

/** `2026-11-27 17:00`, `none` or `not read`. */
function read(text: string, due: string | null = null, when = now) {
  const typed = typedDay(text, { now: when, due, findDates })
  return typed ? [typed.day ?? 'none', typed.time ?? []].flat().join(' ') : 'not read'
}

test.each([
  ['fri', '2026-11-27'],
  [' Friday ', '2026-11-27'],
  ['weekend', '2026-11-28'],
  ['Wochenende', '2026-11-28'],
  ['3 days', '2026-11-28'],
  ['next week', '2026-12-02'],
  ['15 dec', '2026-12-15'],
  ['24.12.', '2026-12-24'],
  ['2026-12-24', '2026-12-24'],
  ['2026-01-01', '2026-01-01'],
  ['someday', 'none'],
  ['fri 5pm', '2026-11-27 17:00'],
  ['5pm friday', '2026-11-27 17:00'],
  ['5pm', '2026-11-25 17:00'],
  ['1pm', '2026-11-26 13:00'],
  ['17:30', '2026-11-25 17:30'],
])('“%s” alone is %s', (text, day) => {
  expect(read(text)).toBe(day)
})

test('A number is the next day of the month with it', () => {
  const days = { 25: '2026-11-25', 24: '2026-12-24', 15: '2026-12-15', 'the 3rd': '2026-12-03' }
  for (const [text, day] of Object.entries({ ...days, 'am 15.': '2026-12-15', 31: '2026-12-31' }))
    expect([text, read(text)]).toEqual([text, day])
  for (const text of ['32', '0']) expect([text, read(text)]).toEqual([text, 'not read'])
  expect(read('30', null, { today: '2027-01-31', time: '14:00' })).toBe('2027-03-30')
})

test('A time alone stays on the day of the task, unless that is over, and is never one that is over', () => {
  expect(read('5pm', now.today)).toBe('2026-11-25 17:00')
  expect(read('1pm', now.today)).toBe('2026-11-26 13:00')
  expect(read('5pm', '2026-12-04')).toBe('2026-12-04 17:00')
  expect(read('5pm', '2026-11-20')).toBe('2026-11-25 17:00')
  expect(read('fri 5pm', '2026-12-04')).toBe('2026-11-27 17:00')
})

test.each([
  '',
  ...phrasesIn(`
    Ann; call Ann friday; friday call Ann; fri 5pmsoon; 5pm call Ann friday; every friday; 2026-02-30
    9999-01-01; fri or sat
  `),
])('“%s” is no day', (text) => {
  expect(read(text)).toBe('not read')
})
