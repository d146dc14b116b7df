import { expect, onTestFinished, test, vi } from 'vitest'
import { daysAfter } from '#contract/days.ts'
import { defaultPriority, isListed, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { readTaskText } from '#contract/words/task-text.ts'
import { freshTask } from '../../engine/entry.ts'
import { isDueBefore } from '../../engine/store/item-rules.ts'
import { views } from '../../views/views.ts'
import { findDates, findIn, linesOf } from '../testing/word-readers.ts'

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

test.each(['english', 'german', 'french'] as const)('100 lines with times in %s are read', (language) => {
  const lines = linesOf(`lines-with-times/${language}`)
  expect(new Set(lines).size).toBeGreaterThanOrEqual(100)
  const texts = lines.map((line) => line.split(' | ')[0] as string)
  expect(texts.map((text) => `${text} | ${whenOf(text, '14:00', findIn[language])}`)).toEqual(lines)
  // A reader of all three languages reads the same.
  expect(texts.map((text) => `${text} | ${whenOf(text, '14:00')}`)).toEqual(lines)
})

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
  // It is still tonight, but not at its usual hour.
  ['Dinner tonight', '19:00', 'Dinner | 2026-11-25 19:00'],
  ['Dinner tonight', '22:00', 'Dinner | 2026-11-25'],
  ['Essen heute Abend', '22:00', 'Essen | 2026-11-25'],
  ['Dîner ce soir', '22:00', 'Dîner | 2026-11-25'],
  ['Nap this afternoon', '16:00', 'Nap | 2026-11-25'],
  ['Dinner wednesday evening', '22:00', 'Dinner | 2026-11-25'],
  ['Dinner tonight at 8', '22:00', 'Dinner | 2026-11-25 20:00'],
  ['Dinner every evening', '22:00', 'Dinner | 2026-11-26 19:00'],
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

// What "at 3" counts may be a noun.
test.each([
  ['Look tomorrow at 3 houses', 'Look at 3 houses | 2026-11-26'],
  ['tomorrow at three houses', 'at three houses | 2026-11-26'],
  ['Look at 3 houses tomorrow', 'Look at 3 houses | 2026-11-26'],
  ['Friday at 5 shops', 'Friday at 5 shops | offered'],
  ['Look on friday at 3 different houses', 'Look at 3 different houses | 2026-11-27'],
  ['Speak tomorrow at 2 of the events', 'Speak at 2 of the events | 2026-11-26'],
  ['Look tomorrow at 3 people', 'Look at 3 people | 2026-11-26'],
  ['Turn tomorrow at 3 km', 'Turn at 3 km | 2026-11-26'],
  ['Sell tomorrow at 5%', 'Sell at 5% | 2026-11-26'],
  ['Sell tomorrow at 5 €', 'Sell at 5 € | 2026-11-26'],
  ['morgen um 3 Häuser streiten', 'um 3 Häuser streiten | 2026-11-26'],
  ['Freitag um 5 Uhren feilschen', 'Freitag um 5 Uhren feilschen | offered'],
  ['Penser demain à 3 maisons', 'Penser à 3 maisons | 2026-11-26'],
  ['demain à 3 maisons', 'à 3 maisons | 2026-11-26'],
  ['tomorrow at 8 press the button', 'press the button | 2026-11-26 08:00'],
  ['Call Ann tomorrow at 5 as usual', 'Call Ann as usual | 2026-11-26 17:00 (afternoon)'],
  ['Call Ann tomorrow at 5 about the houses', 'Call Ann about the houses | 2026-11-26 17:00 (afternoon)'],
])('“%s” is “%s”', (text, when) => {
  expect(whenOf(text, '14:00')).toBe(when)
})

test('Of 60 tasks of a month none that was entered without a date is due or overdue on any day of it', () => {
  const lines = linesOf('month-of-tasks')
  const tasks = lines.map((line, index) => {
    const [view, text = ''] = line.split(' | ') as ['today' | 'someday', string]
    const { title, set } = readTaskText(text, { now: { today, time: '14:00' }, findDates })
    const dueDate = views[view].quickAdd.dueIn === null ? null : today
    const values = { ...freshTask, _id: `${index}`, createdAt: '', priority: defaultPriority, title, dueDate }
    return { view, text, ...({ ...values, ...set } as Task) }
  })
  const read = tasks.map(({ view, text, title, dueDate, dueTime }) =>
    [view, text, title, [dueDate ?? 'none', dueTime ?? []].flat().join(' ')].join(' | '),
  )
  expect(read).toEqual(lines)
  expect(tasks).toHaveLength(60)
  const undated = tasks.filter(({ dueDate }) => dueDate === null)
  expect(undated).toHaveLength(18)
  for (let days = 0; days <= 31; days++) {
    const day = daysAfter(today, days)
    const wrong = undated.filter(
      (task) =>
        isListed(lists.today, task, day) || isListed(lists.upcoming, task, day) || isDueBefore(task, day),
    )
    expect(wrong).toEqual([])
    expect(undated.every((task) => isListed(lists.someday, task, day))).toBe(true)
  }
})

test('A distance in hours is counted over a change of the clock', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  onTestFinished(() => void vi.unstubAllEnvs())
  const at = (today: string, time: string) =>
    readTaskText('Call Ann in 2 hours', { now: { today, time }, findDates }).set
  // 02:00 becomes 03:00, and 03:00 becomes 02:00.
  expect(at('2026-03-29', '01:30')).toEqual({ dueDate: '2026-03-29', dueTime: '04:30' })
  expect(at('2026-10-25', '01:30')).toEqual({ dueDate: '2026-10-25', dueTime: '02:30' })
  expect(at('2026-10-24', '23:30')).toEqual({ dueDate: '2026-10-25', dueTime: '01:30' })
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
