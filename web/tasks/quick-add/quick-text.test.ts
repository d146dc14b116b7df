import { afterEach, describe, expect, test } from 'vitest'
import { findDates } from './date-words.ts'
import { readQuickText } from './quick-text.ts'

const machineZone = process.env.TZ

afterEach(() => {
  if (machineZone === undefined) delete process.env.TZ
  else process.env.TZ = machineZone
})

/** A Saturday. */
const today = '2026-11-21'

function read(text: string, dismissed: string[] = []) {
  const { title, marks } = readQuickText(text, { today, dismissed, findDates })
  return [title, ...marks.map(({ value }) => value)]
}

describe('days', () => {
  test.each([
    ['Buy milk today', 'Buy milk', '2026-11-21'],
    ['Buy milk tomorrow', 'Buy milk', '2026-11-22'],
    ['tomorrow buy milk', 'buy milk', '2026-11-22'],
    ['Buy milk tmr', 'Buy milk', '2026-11-22'],
    ['Call Bob, tomorrow', 'Call Bob', '2026-11-22'],
    ['Call Bob due tomorrow', 'Call Bob', '2026-11-22'],
    ['Call Bob friday', 'Call Bob', '2026-11-27'],
    ['Call Bob Fri', 'Call Bob', '2026-11-27'],
    ['Call Bob sat', 'Call Bob', '2026-11-21'],
    ['Call Bob on monday about it', 'Call Bob about it', '2026-11-23'],
    ['Call Bob by mon', 'Call Bob', '2026-11-23'],
    ['Call Bob next friday', 'Call Bob', '2026-11-27'],
    ['Call Bob in 3 days', 'Call Bob', '2026-11-24'],
    ['Call Bob in a week', 'Call Bob', '2026-11-28'],
    ['Call Bob next week', 'Call Bob', '2026-11-28'],
    ['Pack 24 dec', 'Pack', '2026-12-24'],
    ['Pack Dec 24', 'Pack', '2026-12-24'],
    ['Pack by December 24th, 2027', 'Pack', '2027-12-24'],
    ['Pack Thu 24 Dec', 'Pack', '2026-12-24'],
    ['Pack on Thursday, 24 December', 'Pack', '2026-12-24'],
    ['Pack 2026-12-24', 'Pack', '2026-12-24'],
    ['Taxes 5 march', 'Taxes', '2027-03-05'],
    ['Taxes in march', 'Taxes', '2027-03-01'],
    ['Leap 29 feb', 'Leap', '2028-02-29'],
    ['Finish 31 dec 2200', 'Finish', '2200-12-31'],
  ])('“%s” is “%s”, due %s', (text, title, day) => {
    expect(read(text)).toEqual([title, day])
  })

  test.each([
    ['Call Bob tomorrow at 5pm', 'Call Bob at 5pm', '2026-11-22'],
    ['Call Bob friday 17:30', 'Call Bob 17:30', '2026-11-27'],
    ['Water the plants every monday', 'Water the plants every monday', '2026-11-23'],
    ['Dinner tonight', 'Dinner tonight', '2026-11-21'],
  ])('“%s” keeps what is more than a day: “%s”', (text, title, day) => {
    expect(read(text)).toEqual([title, day])
  })

  test.each([
    'sat exam',
    'sun cream',
    'march in the parade',
    '9/11 Report',
    '1/2 cup of sugar',
    'Release v2.10.2026',
    'Read about 2.10.2026',
    'Watch the sun',
    'Call June',
    'Write to May',
    '5 may be enough',
    'Walk march 10 km',
    'Prepare tomorrow’s meeting',
    "Plan next week's menu",
    'Plan next week menu',
    'Move it from monday to friday',
    'Open monday to friday',
    'Ask about monday or tuesday',
    'Mon Cheri for grandma',
    'Write up last friday',
    'Clean up what was left yesterday',
    'Wait for 3 days',
    'Cook eggs in 5 minutes',
    'Do it now',
    'Book 5-7 Jan',
    'Tag release-2026-12-24',
    'Celebrate 31 feb',
    'Dig out 1 jan 2201',
    'Retire in 9999 years',
    'Retire in 99999999999 days',
    'Read 5 march 2020',
    'Buy decaf',
    'Marching band',
    'Second opinion',
  ])('“%s” stays as it is', (text) => {
    expect(read(text)).toEqual([text])
  })

  test.each(['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago', 'America/Havana', 'Africa/Cairo'])(
    'a day is the same day in %s',
    (zone) => {
      process.env.TZ = zone
      expect(read('Pack 24 dec')).toEqual(['Pack', '2026-12-24'])
      expect(read('Pack tomorrow')).toEqual(['Pack', '2026-11-22'])
      expect(read('Pack in 200 days')).toEqual(['Pack', '2027-06-09'])
      expect(read('Pack next friday')).toEqual(['Pack', '2026-11-27'])
    },
  )

  test('a text longer than any title is not searched for days', () => {
    const text = `${'word '.repeat(20_000)}tomorrow`
    expect(read(text)).toEqual([text])
  })
})

describe('priorities', () => {
  test.each([
    ['Buy milk !high', 'high'],
    ['Buy milk !1', 'high'],
    ['Buy milk p1', 'high'],
    ['!Medium Buy milk', 'medium'],
    ['Buy !med milk', 'medium'],
    ['Buy milk P2', 'medium'],
    ['Buy milk !low', 'low'],
    ['Buy milk p3', 'low'],
    ['Buy milk p4', 'low'],
  ])('“%s” is %s', (text, priority) => {
    expect(read(text)).toEqual(['Buy milk', priority])
  })

  test.each(['Hurry!', 'p5 milk', 'Fix mp3 player', 'Say hi!high', 'p1,', 'Fix P10', 'Go !now'])(
    '“%s” stays as it is',
    (text) => {
      expect(read(text)).toEqual([text])
    },
  )
})

test('A day and a priority are read in either order', () => {
  expect(read('Buy milk friday p1')).toEqual(['Buy milk', '2026-11-27', 'high'])
  expect(read('Buy milk !low on friday')).toEqual(['Buy milk', '2026-11-27', 'low'])
})

test('Of several days and priorities the last ones count, and the words of the others stay', () => {
  expect(read('Tell Bob today that it is p1 work for us tomorrow p3')).toEqual([
    'Tell Bob today that it is p1 work for us',
    '2026-11-22',
    'low',
  ])
})

test('What is in quotes stays as it is', () => {
  expect(read('Study for the "sat" on friday')).toEqual(['Study for the "sat"', '2026-11-27'])
  expect(read('Read "Tomorrow"')).toEqual(['Read "Tomorrow"'])
  expect(read('Read “The p1 principle”')).toEqual(['Read “The p1 principle”'])
  expect(read('Buy a 12" pipe tomorrow')).toEqual(['Buy a 12" pipe', '2026-11-22'])
})

test('Words that were turned back into text stay, the same words elsewhere too', () => {
  expect(read('Read Tomorrow', ['tomorrow'])).toEqual(['Read Tomorrow'])
  expect(read('Fix p1 today', ['p1'])).toEqual(['Fix p1', '2026-11-21'])
})

test('A line of nothing but a day or a priority is a title', () => {
  expect(read('tomorrow')).toEqual(['tomorrow'])
  expect(read(' p1 ')).toEqual(['p1'])
})

test('Without the chunk for days the priorities are read', () => {
  const { title, marks } = readQuickText('Buy milk tomorrow p1', {
    today,
    dismissed: [],
    findDates: undefined,
  })
  expect([title, ...marks.map(({ value }) => value)]).toEqual(['Buy milk tomorrow', 'high'])
})
