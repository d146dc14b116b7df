import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dateWordsOf } from './date-words.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { readTaskText } from './task-text.ts'

const findIn = {
  english: dateWordsOf([], false),
  german: dateWordsOf([german], true),
  french: dateWordsOf([french], false),
}
const findDates = dateWordsOf([german, french], true)
/** A Wednesday. */
const today = '2026-11-25'

/** `2026-11-26 17:00 (tomorrow)`, `none`, `text` or `offered`: what a line says, and what was assumed. */
function whenOf(text: string, time: string, find = findDates) {
  const { title, marks, offer } = readTaskText(text, { now: { today, time }, findDates: find })
  const [mark] = marks
  if (mark?.field !== 'dueDate') return [title, offer ? 'offered' : 'text'].join(' | ')
  const assumed = mark.assumed ? [`(${mark.assumed.join(', ')})`] : []
  return [
    title,
    mark.value === null ? 'none' : [mark.value, mark.time ?? [], ...assumed].flat().join(' '),
  ].join(' | ')
}

const linesOf = (folder: string, language: string) =>
  readFileSync(new URL(`./${folder}/${language}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')

test.each(['english', 'german', 'french'] as const)(
  'Of 100 lines with times in %s each is read',
  (language) => {
    const lines = linesOf('lines-with-times', language)
    expect(new Set(lines).size).toBeGreaterThanOrEqual(100)
    const texts = lines.map((line) => line.split(' | ')[0] as string)
    expect(texts.map((text) => `${text} | ${whenOf(text, '14:00', findIn[language])}`)).toEqual(lines)
    // A reader of all three languages reads the same.
    expect(texts.map((text) => `${text} | ${whenOf(text, '14:00')}`)).toEqual(lines)
  },
)

test.each([
  ['Call Ann in 2 hours', '23:00', 'Call Ann | 2026-11-26 01:00'],
  ['Call Ann in 2 hours', '22:00', 'Call Ann | 2026-11-26 00:00'],
  ['Call Ann at 5pm', '17:00', 'Call Ann | 2026-11-25 17:00'],
  ['Call Ann at 5pm', '17:01', 'Call Ann | 2026-11-26 17:00 (tomorrow)'],
  ['Call Ann at 3', '15:01', 'Call Ann | 2026-11-26 15:00 (tomorrow, afternoon)'],
  ['Call Ann at midnight', '00:00', 'Call Ann | 2026-11-26 00:00 (tomorrow)'],
  ['Call Ann at 00:00', '00:00', 'Call Ann | 2026-11-25 00:00'],
  // A day that is named stays, also when the time is over.
  ['Call Ann today at 5pm', '18:00', 'Call Ann | 2026-11-25 17:00'],
  ['Dinner tonight', '22:00', 'Dinner | 2026-11-25 19:00'],
  ['um 5 aufstehen', '04:00', 'um 5 aufstehen | offered'],
  ['Aufstehen um 5', '04:00', 'Aufstehen | 2026-11-25 05:00'],
])('“%s” at %s is “%s”', (text, time, when) => {
  expect(whenOf(text, time)).toBe(when)
})

test.each(['Yoga 17:30', '17:30 yoga', 'Dentiste 17h30', 'Lunch noon', 'Sam à 17h courses'])(
  'A time that may be something else is only offered: “%s”',
  (text) => {
    expect(whenOf(text, '08:00')).toBe(`${text} | offered`)
  },
)

test.each([
  'Call Ann at 25:00',
  'Call Ann at 5:60pm',
  'Call Ann at 13pm',
  'Call Ann at 0pm',
  'Anna anrufen um 25 Uhr',
  'Call Ann at 5pm at 6pm',
])('A time that no clock shows, or that is stated twice, is text: “%s”', (text) => {
  expect(whenOf(text, '08:00')).toBe(`${text} | text`)
})

test('A day and a time apart are one mark, which is text again as a whole', () => {
  const text = 'tomorrow call Ann at 5pm'
  const given = { now: { today, time: '08:00' }, findDates }
  const [mark, ...others] = readTaskText(text, given).marks
  expect([mark?.words, others]).toEqual(['tomorrow … at 5pm', []])
  expect(readTaskText(text, { ...given, dismissed: ['tomorrow … at 5pm'] })).toMatchObject({
    title: text,
    set: {},
  })
})

test('Words without a date set neither a day nor a time', () => {
  const { set } = readTaskText('Learn Italian someday', { now: { today, time: '08:00' }, findDates })
  expect(set).toEqual({ dueDate: null, dueTime: null })
})
