import { afterEach, describe, expect, test } from 'vitest'
import { dateWordsOf } from './date-words.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { type DateWords, readTaskText } from './task-text.ts'

const machineZone = process.env.TZ

afterEach(() => {
  if (machineZone === undefined) delete process.env.TZ
  else process.env.TZ = machineZone
})

/** A Saturday. */
const today = '2026-11-21'
const findDates = dateWordsOf([], false)
const inGerman = dateWordsOf([german], true)
const inFrench = dateWordsOf([french], false)

function readIn(findDates: DateWords, text: string) {
  const { title, marks } = readTaskText(text, { today, findDates })
  return [title, ...marks.map(({ value }) => value)]
}

function read(text: string, dismissed: string[] = []) {
  const { title, marks } = readTaskText(text, { today, dismissed, findDates })
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
    ['Call Bob tomorrow!', 'Call Bob!', '2026-11-22'],
    ['Call Bob tomorrow, then Ann', 'Call Bob, then Ann', '2026-11-22'],
    ['Call Bob the day after tomorrow', 'Call Bob', '2026-11-23'],
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
    ['Pack on the 24th of December', 'Pack', '2026-12-24'],
    ['Pack 2026-12-24', 'Pack', '2026-12-24'],
    ['Taxes 5 march', 'Taxes', '2027-03-05'],
    ['Taxes in march', 'Taxes', '2027-03-01'],
    ['Leap 29 feb', 'Leap', '2028-02-29'],
    ['Shop this weekend', 'Shop', '2026-11-21'],
    ['Pay by the end of the month', 'Pay', '2026-11-30'],
    ['Pay end of month', 'Pay', '2026-11-30'],
    ['Finish 31 dec 2200', 'Finish', '2200-12-31'],
  ])('“%s” is “%s”, due %s', (text, title, day) => {
    expect(read(text)).toEqual([title, day])
  })

  test.each([
    ['Call Bob tomorrow at 5pm', 'Call Bob at 5pm', '2026-11-22'],
    ['Call Bob friday 17:30', 'Call Bob 17:30', '2026-11-27'],
    ['Water the plants every monday', 'Water the plants every monday', '2026-11-23'],
    ['Dinner tonight', 'Dinner tonight', '2026-11-21'],
    ['Swim tomorrow morning', 'Swim tomorrow morning', '2026-11-22'],
  ])('“%s” keeps words that say more than a day: “%s”', (text, title, day) => {
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

test.each([
  ['Anna anrufen Freitag', 'Anna anrufen', '2026-11-27'],
  ['Anna anrufen am Mo', 'Anna anrufen', '2026-11-23'],
  ['morgen Müll', 'Müll', '2026-11-22'],
  ['Müll übermorgen', 'Müll', '2026-11-23'],
  ['morgen früh laufen', 'morgen früh laufen', '2026-11-22'],
  ['Miete am 1. Dez.', 'Miete', '2026-12-01'],
  ['Miete zum 1. Dezember', 'Miete', '2026-12-01'],
  ['Kündigung bis zum 31.12.', 'Kündigung', '2026-12-31'],
  ['Geschenke bis 24.12.', 'Geschenke', '2026-12-24'],
  ['Treffen Do, 26.11. um 18 Uhr', 'Treffen um 18 Uhr', '2026-11-26'],
  ['Müll jeden Montag', 'Müll jeden Montag', '2026-11-23'],
  ['Termin in einer Woche', 'Termin', '2026-11-28'],
  ['Planung nächste Woche', 'Planung', '2026-11-28'],
  ['Rechnung Ende des Monats', 'Rechnung', '2026-11-30'],
  ['Buy milk tomorrow', 'Buy milk', '2026-11-22'],
])('In German “%s” is “%s”, due %s', (text, title, day) => {
  expect(readIn(inGerman, text)).toEqual([title, day])
})

test.each([
  ['Appeler Anna vendredi', 'Appeler Anna', '2026-11-27'],
  ['Dentiste lundi prochain', 'Dentiste', '2026-11-23'],
  ['Dentiste jeudi à 17h30', 'Dentiste à 17h30', '2026-11-26'],
  ['Courses aujourd’hui', 'Courses', '2026-11-21'],
  ['Courses demain', 'Courses', '2026-11-22'],
  ['Courses après-demain', 'Courses', '2026-11-23'],
  ['Dîner ce soir', 'Dîner ce soir', '2026-11-21'],
  ['Loyer le 1er décembre', 'Loyer', '2026-12-01'],
  ['Dîner le jeudi 3 décembre', 'Dîner', '2026-12-03'],
  ['Lait demain !', 'Lait !', '2026-11-22'],
  ['Poubelles tous les lundis', 'Poubelles tous les lundis', '2026-11-23'],
  ['Rendre le livre dans 3 jours', 'Rendre le livre', '2026-11-24'],
  ['Ranger ce week-end', 'Ranger', '2026-11-21'],
  ['Payer fin du mois', 'Payer', '2026-11-30'],
])('In French “%s” is “%s”, due %s', (text, title, day) => {
  expect(readIn(inFrench, text)).toEqual([title, day])
})

test.each([
  [findDates, 'Sat shopping', 'shopping', '2026-11-21'],
  [findDates, 'Friday: call Anna', 'call Anna', '2026-11-27'],
  [inGerman, 'Zahnarzt Mo', 'Zahnarzt', '2026-11-23'],
  [inFrench, 'Mar. dentiste', 'dentiste', '2026-11-24'],
  [inFrench, 'Sam courses', 'courses', '2026-11-21'],
])(
  'Words that may be a day are only offered, until they are chosen (%#)',
  (findDates, text, title, value) => {
    const { offer, ...asItIs } = readTaskText(text, { today, findDates })
    expect(asItIs).toEqual({ title: text, set: {}, marks: [] })
    const chosen = [offer?.words.toLowerCase() ?? '']
    expect(readTaskText(text, { today, findDates, chosen })).toMatchObject({ title, set: { dueDate: value } })
  },
)

test('A recurring day is marked as the first time only', () => {
  const { marks } = readTaskText('Water the plants every monday', { today, findDates })
  expect(marks).toMatchObject([{ value: '2026-11-23', isOnce: true }])
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

test('This weekend lasts until Sunday is over', () => {
  const daysFrom = (today: string) => findDates('Shop this weekend', today).map(({ day }) => day)
  expect(daysFrom('2026-11-20')).toEqual(['2026-11-21'])
  expect(daysFrom('2026-11-22')).toEqual(['2026-11-22'])
  expect(daysFrom('2026-11-23')).toEqual(['2026-11-28'])
})

test('Text in quotes stays as it is', () => {
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
  const { title, marks } = readTaskText('Buy milk tomorrow p1', {
    today,
    dismissed: [],
    findDates: undefined,
  })
  expect([title, ...marks.map(({ value }) => value)]).toEqual(['Buy milk tomorrow', 'high'])
})
