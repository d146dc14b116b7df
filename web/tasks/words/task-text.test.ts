import { afterEach, describe, expect, test, vi } from 'vitest'
import { dateWordsIn } from '#contract/words/date-words.ts'
import { inLetters, rulesOf } from '#contract/words/day-rules.ts'
import { english } from '#contract/words/english.ts'
import { french } from '#contract/words/french.ts'
import { german } from '#contract/words/german.ts'
import { type DateWords, readTaskText } from '#contract/words/task-text.ts'
import { eachPhrase, findIn, findDates as inAll, phrasesIn } from '../testing/word-readers.ts'

afterEach(() => void vi.unstubAllEnvs())

/** A Saturday. */
const today = '2026-11-21'
const now = { today, time: '08:00' }
const { english: findDates, german: inGerman, french: inFrench } = findIn

function read(text: string, given: { dismissed?: string[]; findDates?: DateWords } = {}) {
  const { title, marks } = readTaskText(text, { now, findDates, ...given })
  return [title, ...marks.map(({ value }) => value)]
}

describe('days', () => {
  test.each(
    eachPhrase([
      ['Buy milk today', 'Buy milk', '2026-11-21'],
      ['Buy milk tomorrow; Buy milk tmr', 'Buy milk', '2026-11-22'],
      ['tomorrow buy milk', 'buy milk', '2026-11-22'],
      ['Call Bob, tomorrow; Call Bob due tomorrow', 'Call Bob', '2026-11-22'],
      ['Call Bob tomorrow!', 'Call Bob!', '2026-11-22'],
      ['Call Bob tomorrow, then Ann', 'Call Bob, then Ann', '2026-11-22'],
      ['Call Bob the day after tomorrow; Call Bob by mon', 'Call Bob', '2026-11-23'],
      ['Call Bob friday; Call Bob Fri; Call Bob next friday', 'Call Bob', '2026-11-27'],
      ['Call Bob sat', 'Call Bob', '2026-11-21'],
      ['Call Bob on monday about it', 'Call Bob about it', '2026-11-23'],
      ['Call Bob in 3 days', 'Call Bob', '2026-11-24'],
      ['Call Bob in a week; Call Bob next week', 'Call Bob', '2026-11-28'],
      ['Pack 24 dec; Pack Dec 24; Pack Thu 24 Dec; Pack on Thursday, 24 December', 'Pack', '2026-12-24'],
      ['Pack on the 24th of December; Pack 2026-12-24', 'Pack', '2026-12-24'],
      ['Pack by December 24th, 2027', 'Pack', '2027-12-24'],
      ['Taxes 5 march', 'Taxes', '2027-03-05'],
      ['Taxes in march', 'Taxes', '2027-03-01'],
      ['Leap 29 feb', 'Leap', '2028-02-29'],
      ['Dinner tonight', 'Dinner', '2026-11-21'],
      ['Shop this weekend', 'Shop', '2026-11-21'],
      ['Pay by the end of the month; Pay end of month', 'Pay', '2026-11-30'],
      ['Finish 31 dec 2200', 'Finish', '2200-12-31'],
      // Words that do not say one time are kept.
      ['Work tomorrow from 9am to 5pm', 'Work from 9am to 5pm', '2026-11-22'],
      ['Call Bob tomorrow at 3 Main Street', 'Call Bob at 3 Main Street', '2026-11-22'],
    ]),
  )('“%s” is “%s”, due %s', (text, title, day) => {
    expect(read(text)).toEqual([title, day])
  })

  test.each(
    phrasesIn(`
      sat exam; sun cream; march in the parade; 9/11 Report; 1/2 cup of sugar; Release v2.10.2026
      Read about 2.10.2026; Watch the sun; Call June; Write to May; 5 may be enough; Walk march 10 km
      Prepare tomorrow’s meeting; Plan next week's menu; Plan next week menu; Move it from monday to friday
      Open monday to friday; Ask about monday or tuesday; Mon Cheri for grandma; Write up last friday
      Clean up what was left yesterday; Wait for 3 days; Cook eggs in 5 minutes; Do it now; Book 5-7 Jan
      Tag release-2026-12-24; Celebrate 31 feb; Dig out 1 jan 2201; Retire in 9999 years
      Retire in 99999999999 days; Read 5 march 2020; Buy decaf; Marching band; Second opinion
    `),
  )('“%s” stays as it is', (text) => {
    expect(read(text)).toEqual([text])
  })

  test.each(['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago', 'America/Havana', 'Africa/Cairo'])(
    'a day is the same day in %s',
    (zone) => {
      vi.stubEnv('TZ', zone)
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
  ['Miete am 1. Dez.', 'Miete', '2026-12-01'],
  ['Miete zum 1. Dezember', 'Miete', '2026-12-01'],
  ['Kündigung bis zum 31.12.', 'Kündigung', '2026-12-31'],
  ['Geschenke bis 24.12.', 'Geschenke', '2026-12-24'],
  ['Termin in einer Woche', 'Termin', '2026-11-28'],
  ['Planung nächste Woche', 'Planung', '2026-11-28'],
  ['Rechnung Ende des Monats', 'Rechnung', '2026-11-30'],
  ['Buy milk tomorrow', 'Buy milk', '2026-11-22'],
])('In German “%s” is “%s”, due %s', (text, title, day) => {
  expect(read(text, { findDates: inGerman })).toEqual([title, day])
})

test.each([
  ['Appeler Anna vendredi', 'Appeler Anna', '2026-11-27'],
  ['Dentiste lundi prochain', 'Dentiste', '2026-11-23'],
  ['Courses aujourd’hui', 'Courses', '2026-11-21'],
  ['Courses demain', 'Courses', '2026-11-22'],
  ['Courses après-demain', 'Courses', '2026-11-23'],
  ['Loyer le 1er décembre', 'Loyer', '2026-12-01'],
  ['Dîner le jeudi 3 décembre', 'Dîner', '2026-12-03'],
  ['Lait demain !', 'Lait !', '2026-11-22'],
  ['Rendre le livre dans 3 jours', 'Rendre le livre', '2026-11-24'],
  ['Ranger ce week-end', 'Ranger', '2026-11-21'],
  ['Payer fin du mois', 'Payer', '2026-11-30'],
])('In French “%s” is “%s”, due %s', (text, title, day) => {
  expect(read(text, { findDates: inFrench })).toEqual([title, day])
})

/** A reader of all three languages, on Wednesday 25 November 2026. */
function dueOf(text: string) {
  const { title, set } = readTaskText(text, { now: { today: '2026-11-25', time: '08:00' }, findDates: inAll })
  return [title, set.dueDate]
}

test.each(
  eachPhrase([
    ['friday next week; next week friday; friday of next week; in a week on friday', '2026-12-04'],
    ['friday p1 next week; nächste Woche Freitag; Freitag nächster Woche', '2026-12-04'],
    ['am Freitag der nächsten Woche; Freitag in einer Woche; vendredi de la semaine prochaine', '2026-12-04'],
    ['friday this week; on the last friday of november; am letzten Freitag im November', '2026-11-27'],
    ['vendredi prochain; le dernier vendredi de novembre', '2026-11-27'],
    ['friday in two weeks; Freitag übernächste Woche', '2026-12-11'],
    ['a week tomorrow; tomorrow week; morgen in einer Woche; demain en huit', '2026-12-03'],
    ['monday week; first monday of next month', '2026-12-07'],
    ['a fortnight tomorrow', '2026-12-10'],
    ['the week after next; in 2 weeks’ time', '2026-12-09'],
    ['tomorrow, thursday', '2026-11-26'],
    ['24 dec next year; am 24.12. nächsten Jahres', '2027-12-24'],
    ['in march next year', '2027-03-01'],
    ['first monday in january', '2027-01-04'],
    ['end of next month; Ende nächsten Monats; fin du mois prochain', '2026-12-31'],
    ['last day of november', '2026-11-30'],
    ['lundi en quinze', '2026-12-14'],
    ['mercredi prochain; kommenden Mittwoch; this coming wednesday', '2026-12-02'],
    ['this wednesday', '2026-11-25'],
  ]),
)('Words that belong together name one day: “Meet %s” is due %s', (words, day) => {
  expect(dueOf(`Meet ${words}`)).toEqual(['Meet', day])
})

test.each(
  eachPhrase([
    ['on tuesday the 15th; tuesday the 15; tuesday 15th; tuesday 15 december', '2026-12-15'],
    ['am Dienstag, den 15.12.; am Dienstag, den 15.; Dienstag 15.; Dienstag, 15. Dezember', '2026-12-15'],
    ['Di 15.12.; mardi 15; le mardi 15; le mardi 15 décembre', '2026-12-15'],
    ['mardi 1er', '2026-12-01'],
  ]),
)('A weekday with a day of the month is that day: “%s” is %s', (words, day) => {
  expect(dueOf(`Meet ${words}`)).toEqual(['Meet', day])
})

test.each(
  phrasesIn(`
    tuesday 15; Dienstag 15; on tuesday the 16th; on friday the 13th; on tuesday the fifteenth
    am Dienstag, den 16.; mardi 16; mardi quinze; tuesday 16 december; Dienstag, 16. Dezember
    am Dienstag, den 16.12.; mardi 16 décembre; on tuesday 15.12; on friday 12/4
  `),
)(
  'A weekday with a day of the month on which it does not fall, or that may be another number, is no day: “%s”',
  (words) => {
    expect(dueOf(`Meet ${words}`)).toEqual([`Meet ${words}`, undefined])
  },
)

test.each(
  phrasesIn(`
    the friday after next; friday after next; friday after the fair; friday next month; monday in two weeks
    monday in a fortnight; late next week; end of next week; week of 14 december; the day before friday
    3 days after christmas; in 3 days after christmas; in a week or two; in 2 or 3 days
    two weeks from friday; three weeks on friday; in november; not tomorrow; not before friday; until friday
    starting monday; every friday in december; once a week on friday; between monday and friday
    from 24 to 26 dec; mon-fri; friday/saturday; tomorrow or friday; tomorrow, friday; tomorrow (friday)
    next week's friday; dec 24 and 25; dec 24-26; 24.12.-26.12.; 24., 25. und 26. Dezember
    am 24. nächsten Monats; übernächsten Freitag; letzten Freitag; Freitag bis Sonntag
    am Freitag vor Weihnachten; am Freitag KW 50; heute in acht Tagen; ab Montag; nicht am Freitag
    vendredi dernier; vendredi ou samedi; la veille de vendredi; dès lundi; dans huit jours; pas demain
    vom 3. bis 5. Dezember; vom 3. bis zum 5. Dezember; du 3 au 5 décembre; from 3 to 5 december
    between the 3rd and the 5th of december; today+1; tomorrow+2
  `),
)('Words that do not name one day are no day: “%s”', (words) => {
  expect(dueOf(`Meet ${words}`)).toEqual([`Meet ${words}`, undefined])
})

test.each([
  ['Read chapter 5 tomorrow', 'Read chapter 5', '2026-11-26'],
  ['Dinner for 4 on friday', 'Dinner for 4', '2026-11-27'],
  ['Wake up early tomorrow', 'Wake up early', '2026-11-26'],
  ['Sick day friday', 'Sick day', '2026-11-27'],
  ['Do this tomorrow', 'Do this', '2026-11-26'],
  ['Call June tomorrow', 'Call June', '2026-11-26'],
  ['Rent a car tomorrow for a week', 'Rent a car for a week', '2026-11-26'],
  ['Prepare today for tomorrow', 'Prepare for tomorrow', '2026-11-25'],
  ['Work on friday from 9am to 5pm', 'Work from 9am to 5pm', '2026-11-27'],
  ['Check-in tomorrow', 'Check-in', '2026-11-26'],
  ['Jan morgen anrufen', 'Jan anrufen', '2026-11-26'],
  ['Appeler Sam demain', 'Appeler Sam', '2026-11-26'],
])('Numbers, names and times next to a day are none of it: “%s” is “%s”, due %s', (text, title, day) => {
  expect(dueOf(text)).toEqual([title, day])
})

test.each([
  [findDates, 'Sat shopping', 'shopping', '2026-11-21'],
  [findDates, 'Friday: call Anna', 'call Anna', '2026-11-27'],
  [inGerman, 'Zahnarzt Mo', 'Zahnarzt', '2026-11-23'],
  [inFrench, 'Mar. dentiste', 'dentiste', '2026-11-24'],
  [inFrench, 'Sam courses', 'courses', '2026-11-21'],
])('Words that may be a day are only offered until they are chosen (%#)', (findDates, text, title, value) => {
  const { offer, ...asItIs } = readTaskText(text, { now, findDates })
  expect(asItIs).toEqual({ title: text, set: {}, marks: [] })
  const chosen = [offer?.words.toLowerCase() ?? '']
  expect(readTaskText(text, { now, findDates, chosen })).toMatchObject({ title, set: { dueDate: value } })
})

describe('priorities', () => {
  test.each(
    eachPhrase([
      ['Buy milk !high; Buy milk !1; Buy milk p1', 'high'],
      ['!Medium Buy milk; Buy !med milk; Buy milk P2', 'medium'],
      ['Buy milk !low; Buy milk p3; Buy milk p4', 'low'],
    ]),
  )('“%s” is %s', (text, priority) => {
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
  const daysFrom = (today: string) =>
    findDates('Shop this weekend', { today, time: '08:00' }).days.map(({ day }) => day)
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

test.each(phrasesIn(`'*'; "*"; “*”; „*“; „*”; ‘*’; ‚*‘; «*»; « * »; »*«; ‹*›; ›*‹; \`*\`; 「*」`))(
  'Words in %s are quoted',
  (quotes) => {
    const text = `Read ${quotes.replace('*', 'Mother’s call tomorrow p1 about it')}`
    expect(read(text)).toEqual([text])
    expect(read(`${text} on monday`)).toEqual([text, '2026-11-23'])
  },
)

test('An apostrophe opens no quotation', () => {
  expect(read('Clean the boys’ room, Ann’s on friday')).toEqual(['Clean the boys’ room, Ann’s', '2026-11-27'])
  expect(read("Ann's list today, Bob's later")).toEqual(["Ann's list, Bob's later", '2026-11-21'])
})

test.each([
  ' p1 ',
  ...phrasesIn('tomorrow; today!; (today); today?; [tomorrow]; - friday -; … tomorrow …; "" today'),
  ...phrasesIn('p1!; (p1); - p1'),
])('Nothing but a day or a priority and punctuation is a title: “%s”', (text) => {
  expect(read(text)).toEqual([text.trim()])
})

test('Brackets around a day leave the title with it', () => {
  expect(read('Call Bob (tomorrow)')).toEqual(['Call Bob', '2026-11-22'])
  for (const end of ['!', '?!', '.', ' ;'])
    expect(read(`Call Bob (tomorrow${end})`)).toEqual(['Call Bob', '2026-11-22'])
  expect(read('Call Bob [on friday] about it')).toEqual(['Call Bob about it', '2026-11-27'])
  expect(read('☎ today')).toEqual(['☎', '2026-11-21'])
})

test('Letters and numbers of every script are kept, and make a word next to them another word', () => {
  expect(read('Купить 𝒜 ñandú 漢字 ½ tomorrow')).toEqual(['Купить 𝒜 ñandú 漢字 ½', '2026-11-22'])
  for (const letter of ['я', 'Я', '漢', 'é', 'Ÿ', 'ø', 'ª', '𝒜', '²', '½', '٣', '7', '_'])
    for (const text of [`Call tomorrow${letter}`, `Call ${letter}tomorrow`]) {
      expect(read(text)).toEqual([text])
      expect(read(text, { findDates: inAll })).toEqual([text])
    }
  for (const text of ['Take я-in 5 days', 'Take é-in 5 days']) expect(read(text)).toEqual([text])
})

test('No expression for days has a letter or a number that texts are read without', () => {
  for (const { pattern } of [english, german, french].flatMap((language) => rulesOf(language, true)))
    expect(inLetters(pattern.source)).toBe(pattern.source)
})

test('Words that were turned back into text stay, the same words elsewhere too', () => {
  expect(read('Read Tomorrow', { dismissed: ['tomorrow'] })).toEqual(['Read Tomorrow'])
  expect(read('Fix p1 today', { dismissed: ['p1'] })).toEqual(['Fix p1', '2026-11-21'])
})

test('Without the code for days the priorities are read', () => {
  const { title, marks } = readTaskText('Buy milk tomorrow p1', {
    now,
    dismissed: [],
    findDates: undefined,
  })
  expect([title, ...marks.map(({ value }) => value)]).toEqual(['Buy milk tomorrow', 'high'])
})

test('Days are found in the languages with valid tags, and the first of these decides how days are written', () => {
  const text = (tags: string[], line: string) =>
    readTaskText(line, { now, dismissed: [], findDates: dateWordsIn(tags) }).title
  for (const tags of [['C'], [], ['C', 'de-DE'], ['de_DE', 'de-DE']])
    expect(text(tags, 'Dentist tomorrow')).toBe('Dentist')
  expect(text(['C', 'de-DE'], 'Zahnarzt 24.12.')).toBe('Zahnarzt')
  expect(text(['C'], 'Zahnarzt 24.12.')).toBe('Zahnarzt 24.12.')
})
