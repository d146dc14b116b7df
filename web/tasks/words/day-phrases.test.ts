import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysAfter } from '#contract/days.ts'
import { english } from '#contract/words/english.ts'
import { french } from '#contract/words/french.ts'
import { german } from '#contract/words/german.ts'
import { readTaskText } from '#contract/words/task-text.ts'
import { findDates } from '../testing/word-readers.ts'

const dueOf = (text: string, today: string) =>
  readTaskText(text, { now: { today, time: '08:00' }, findDates }).set.dueDate

const daysOf = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
const mondayOf = (day: string) => daysAfter(day, -((new Date(day).getUTCDay() + 6) % 7))
const spelledInAll = (day: string, options: Intl.DateTimeFormatOptions) =>
  ['en-GB', 'de-DE', 'fr-FR'].map((locale) =>
    new Date(day).toLocaleDateString(locale, { timeZone: 'UTC', ...options }),
  ) as [string, string, string]

/** The English, German and French spelling of one statement about a day. */
type Spellings = [english: string[], german: string[], french: string[]]

/** Phrases that name `day` on `today`, by language. */
function phrasesOf(day: string, today: string): Spellings {
  const [w, wd, wf] = spelledInAll(day, { weekday: 'long' })
  const [s, sd] = spelledInAll(day, { weekday: 'short' }).map((name) => name.replace('.', ''))
  const [m, md, mf] = spelledInAll(day, { month: 'long' })
  const [year, number, date] = day.split('-').map(Number) as [number, number, number]
  const distance = daysOf(today, day)
  const weeks = daysOf(mondayOf(today), mondayOf(day)) / 7
  const years = year - Number(today.slice(0, 4))
  const next = `${date}${[11, 12, 13].includes(date) ? 'th' : (['th', 'st', 'nd', 'rd'][date % 10] ?? 'th')}`
  const isLast = daysAfter(day, 7).slice(0, 7) !== day.slice(0, 7)
  const nth = Math.ceil(date / 7)
  const when = (is: boolean, spellings: Spellings): Spellings => (is ? spellings : [[], [], []])
  const all: Spellings[] = [
    [
      [
        `${date} ${m} ${year}`,
        `${w} ${date} ${m} ${year}`,
        `on ${w} the ${next} of ${m}, ${year}`,
        `${s} ${date} ${m} ${year}`,
        day,
        `${w}, ${day}`,
      ],
      [
        `${date}. ${md} ${year}`,
        `am ${wd}, den ${date}.${number}.${year}`,
        `${wd}, ${date}. ${md} ${year}`,
        `${sd}, ${date}.${number}.${year}`,
      ],
      [`le ${date} ${mf} ${year}`, `${wf} ${date} ${mf} ${year}`, `le ${wf} ${date} ${mf} ${year}`],
    ],
    when(distance < 365, [
      [`${date} ${m}`, `on ${w}, ${m} ${next}`, `${w} ${date} ${m}`, `on the ${next} of ${m}`],
      [`am ${date}. ${md}`, `${wd} ${date}.${number}.`, `am ${wd}, den ${date}. ${md}`],
      [`le ${date} ${mf}`, `le ${wf} ${date} ${mf}`],
    ]),
    when(years === 1, [
      [`${date} ${m} next year`, `next year on ${w} ${date} ${m}`],
      [`am ${date}. ${md} nächsten Jahres`, `nächstes Jahr am ${date}.${number}.`],
      [`le ${date} ${mf} l’année prochaine`],
    ]),
    when(distance < 28, [
      [`on ${w} the ${next}`, `${w} ${next}`, `${w}, the ${date}`],
      [`am ${wd}, den ${date}.`, `${wd} den ${date}.`, `${wd} ${date}.`],
      [`${wf} ${date}`, `le ${wf} ${date}`],
    ]),
    when(distance < 7, [
      [w, `on ${w}`, `this ${w}`, `by ${s}`],
      [wd, `am ${wd}`, `diesen ${wd}`, `bis ${wd}`],
      [wf, `ce ${wf}`, `d’ici ${wf}`],
    ]),
    when(distance > 0 && distance < 8, [[`this coming ${w}`], [`kommenden ${wd}`], [`${wf} prochain`]]),
    when(weeks === 0, [
      [`${w} this week`, `this week on ${w}`],
      [`diese Woche ${wd}`, `${wd} dieser Woche`],
      [`${wf} cette semaine`],
    ]),
    when(weeks === 1, [
      [`${w} next week`, `next week ${w}`, `next week, on ${w}`, `${w} of next week`, `next ${w}`],
      [`nächste Woche ${wd}`, `${wd} nächster Woche`, `am ${wd} der nächsten Woche`, `nächsten ${wd}`],
      [`${wf} de la semaine prochaine`, `la semaine prochaine, ${wf}`],
    ]),
    when(weeks === 2, [
      [`${w} the week after next`],
      [`${wd} übernächste Woche`, `übernächste Woche am ${wd}`],
      [],
    ]),
    when(distance >= 7 && distance < 14, [
      [`${w} week`, `a week on ${w}`],
      [`${wd} in einer Woche`],
      [`${wf} en huit`],
    ]),
    when(distance >= 14 && distance < 21, [
      [`${w} in two weeks`],
      [`${wd} in zwei Wochen`],
      [`${wf} en quinze`],
    ]),
    when(distance === 0, [
      ['today', `today, ${w}`, 'tonight'],
      ['heute', 'heute Abend'],
      ['aujourd’hui', 'ce soir'],
    ]),
    when(distance === 1, [
      ['tomorrow', `tomorrow, ${w}`, 'tomorrow evening'],
      ['morgen', `morgen, ${wd}`],
      ['demain', 'demain matin'],
    ]),
    when(distance === 8, [
      ['a week tomorrow', 'tomorrow week'],
      ['morgen in einer Woche'],
      ['demain en huit'],
    ]),
    [
      [`in ${distance} days`],
      distance === 8 ? [] : [`in ${distance} Tagen`],
      [8, 15].includes(distance) ? [] : [`dans ${distance} jours`],
    ],
    when(distance % 7 === 0 && distance > 0, [
      [`in ${distance / 7} weeks`],
      [`in ${distance / 7} Wochen`],
      [`dans ${distance / 7} semaines`],
    ]),
    when(isLast, [
      [`last ${w} of ${m} ${year}`, `on the last ${w} in ${m} ${year}`],
      [`am letzten ${wd} im ${md} ${year}`],
      [`le dernier ${wf} de ${mf} ${year}`],
    ]),
    when(nth < 5, [
      [`${['first', 'second', 'third', 'fourth'][nth - 1]} ${w} in ${m} ${year}`],
      [`am ${nth}. ${wd} im ${md} ${year}`],
      [`le ${['premier', 'deuxième', 'troisième', 'quatrième'][nth - 1]} ${wf} de ${mf} ${year}`],
    ]),
    when(daysAfter(day, 1).endsWith('-01'), [
      [`end of ${m} ${year}`, `last day of ${m} ${year}`],
      [`Ende ${md} ${year}`],
      [`fin ${mf} ${year}`],
    ]),
  ]
  return [0, 1, 2].map((language) => all.flatMap((spellings) => spellings[language] as string[])) as Spellings
}

const anyDay = fc.integer({ min: 0, max: 1500 }).map((days) => daysAfter('2026-01-01', days))
const dayAndToday = fc
  .tuple(anyDay, fc.oneof(fc.integer({ min: 0, max: 22 }), fc.integer({ min: 0, max: 800 })))
  .map(([today, distance]) => ({ today, day: daysAfter(today, distance) }))

test('A phrase that names a day in any of three languages is read as that day or not at all', () => {
  const read = new Set<string>()
  fc.assert(
    fc.property(dayAndToday, ({ today, day }) => {
      for (const phrase of phrasesOf(day, today).flat()) {
        const due = dueOf(`Call Ann ${phrase}`, today)
        if (due !== undefined) expect(`${phrase} on ${today}: ${due}`).toBe(`${phrase} on ${today}: ${day}`)
        if (due !== undefined) read.add(phrase.replace(/\d+/g, '1'))
      }
    }),
    { numRuns: 150 },
  )
  expect(read.size).toBeGreaterThan(500)
})

test('Two days that are joined are not read', () => {
  const words = ['and', 'or', 'to', '-', 'until', 'oder', 'bis', 'und', 'et', 'ou', 'au', '&']
  const joints = [...words.map((word) => ` ${word} `), ' ', ', ', '-', '/', ' (', '. ']
  const dates = (day: string) =>
    fc.constantFrom(
      ...phrasesOf(day, daysAfter(day, -400))
        .flat()
        .filter((phrase) => /\d/.test(phrase) && !/next|nächst|prochain|^(?:in|dans) /.test(phrase)),
    )
  const pair = fc.tuple(anyDay, fc.integer({ min: 1, max: 300 })).chain(([day, distance]) =>
    fc.record({
      day: fc.constant(day),
      one: dates(day),
      joint: fc.constantFrom(...joints),
      other: dates(daysAfter(day, distance)),
    }),
  )
  fc.assert(
    fc.property(pair, ({ day, one, joint, other }) => {
      const joined = `Call Ann ${one}${joint}${other}`
      expect([joined, dueOf(joined, daysAfter(day, -400))]).toEqual([joined, undefined])
    }),
    { numRuns: 500 },
  )
})

const wordsIn = (source: string) => source.split('|').filter((word) => /^\p{L}+$/u.test(word))
const vocabulary = [english, german, french].flatMap((language) => [
  ...language.weekdays.flatMap(wordsIn),
  ...wordsIn(language.joints),
  ...wordsIn(language.openers),
  ...wordsIn(language.glue),
  ...wordsIn(language.lead),
])
const more =
  'monday friday sunday today tomorrow week month year weekend day days next last this first second a the in on of by early end january 5 15th 24.12. 17:30 heute morgen übermorgen Woche nächste nächsten letzten ersten Ende Tag Monat Jahr einer 2. 15. Dezember demain aujourd’hui semaine prochaine prochain dernier premier fin mois décembre mardi , - ( ) . huit quinze'
const dayWord =
  /^(?:today|tomorrow|mon|tue|wed|thu|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|next|last|first|second|heute|morgen|übermorgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|woche|nächsten?|letzten|ersten|demain|aujourd’hui|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|semaine|prochaine?|dernier|premier)$/i

test('Next to the words of a chip there is no word that belongs to a day, and alone they name the same day', () => {
  const words = fc.array(
    fc.constantFrom(...vocabulary, ...more.split(' ').flatMap((word) => [word, word, word])),
    { minLength: 1, maxLength: 7 },
  )
  fc.assert(
    fc.property(words, anyDay, (list, today) => {
      const text = `Call ${list.join(' ')}`
      const { marks } = readTaskText(text, { now: { today, time: '08:00' }, findDates })
      for (const { start, end, value, ...mark } of marks) {
        // A chip can have words in two places: "morgen … yearly".
        const chip = [...(('also' in mark && mark.also) || []), { start, end }]
          .map((place) => text.slice(place.start, place.end))
          .join(' ')
        const [, before = ''] = /([^\s,.()]+)[\s,.()]*$/.exec(text.slice(0, start)) ?? []
        const [, after = ''] = /^[\s,.()]*([^\s,.()]+)/.exec(text.slice(end)) ?? []
        const isPart = /^(?:früh|morgen)$/i.test(after)
        const isNextToDay = dayWord.test(before) || (dayWord.test(after) && !isPart)
        expect([text, text.slice(start, end), isNextToDay]).toEqual([text, text.slice(start, end), false])
        expect([text, dueOf(`Call ${chip}`, today)]).toEqual([text, value])
      }
    }),
    { numRuns: 5000 },
  )
})
