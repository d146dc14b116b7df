import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysAfter } from '#contract/days.ts'
import { formatRule, parseRule, type RepeatRule } from '#contract/repeat-rules.ts'
import { rulesOf } from '#contract/words/day-rules.ts'
import { english } from '#contract/words/english.ts'
import { readTaskText } from '#contract/words/task-text.ts'
import { rulesFor } from '../form/rule-choices.ts'
import { ruleText } from '../repeat/rule-text.ts'
import { findDates, findIn } from '../testing/word-readers.ts'

const today = '2026-11-25'

/** A rule that the form of a task can make, with a number of periods, other days of the week, and an end. */
const chosen = fc
  .record({
    due: fc.nat(1500),
    which: fc.nat(20),
    interval: fc.integer({ min: 1, max: 12 }),
    weekdays: fc.uniqueArray(fc.nat(6), { minLength: 1 }),
    end: fc.oneof(
      fc.constant({}),
      fc.record({ count: fc.integer({ min: 1, max: 30 }) }),
      fc.nat(700).map((days) => ({ until: daysAfter(today, 1600 + days) })),
    ),
  })
  .map(({ due, which, interval, weekdays, end }): string => {
    const rules = rulesFor(daysAfter(today, due))
    const rule = parseRule(rules[which % rules.length] as string) as RepeatRule
    const byDay = weekdays.toSorted().map((weekday) => ({ weekday }))
    return formatRule({ ...rule, interval, ...(rule.freq === 'WEEKLY' && { byDay }), ...end })
  })

test('Any rule that the form of a task can make is read from its phrase as the same rule', () => {
  fc.assert(
    fc.property(chosen, fc.constantFrom('due', 'done'), (rule, from) => {
      const phrase = ruleText(rule, from as 'due', { today, locale: 'en-GB' })
      expectToRead(`${phrase[0]?.toLowerCase()}${phrase.slice(1)}`, rule, from, findIn.english)
    }),
    { numRuns: 500 },
  )
})

function expectToRead(phrase: string, rule: string, from: string, words: typeof findDates) {
  const text = `Water the plants ${phrase}`
  const { title, set } = readTaskText(text, { now: { today, time: '14:00' }, findDates: words })
  const read = parseRule(set.repeat ?? '')
  const is = [phrase, title, read && formatRule(read), set.repeatFrom ?? 'due']
  expect(is).toEqual([phrase, 'Water the plants', rule, from])
}

/** How a language says a rule: its parts without and with an interval, and its end. */
type Phrases = {
  locale: string
  every: Record<RepeatRule['freq'], [one: string, several: string]>
  onWeekdays: [string, string]
  /** Before a day. */
  on: string
  date: (number: string) => string
  lastDay: string
  and: string
  nth: Record<number, string>
  until: (day: string) => string
  times: (count: number) => string
  afterCompletion: string
}

const phrasesOf: Record<'German' | 'French', Phrases> = {
  German: {
    locale: 'de-DE',
    every: {
      ...{ DAILY: ['jeden Tag', 'alle # Tage'], WEEKLY: ['jede Woche', 'alle # Wochen'] },
      ...{ MONTHLY: ['jeden Monat', 'alle # Monate'], YEARLY: ['jedes Jahr', 'alle # Jahre'] },
    },
    onWeekdays: ['werktags', 'alle # Wochen werktags'],
    on: 'am',
    date: (number) => `${number}.`,
    lastDay: 'letzten Tag',
    and: ' und ',
    nth: { 1: 'ersten', 2: 'zweiten', 3: 'dritten', 4: 'vierten', [-1]: 'letzten' },
    until: (day) => `bis zum ${day}`,
    times: (count) => `${count} mal`,
    afterCompletion: 'nach Erledigung',
  },
  French: {
    locale: 'fr-FR',
    every: {
      DAILY: ['tous les jours', 'tous les # jours'],
      WEEKLY: ['chaque semaine', 'toutes les # semaines'],
      MONTHLY: ['chaque mois', 'tous les # mois'],
      YEARLY: ['chaque année', 'tous les # ans'],
    },
    onWeekdays: ['tous les jours ouvrés', 'toutes les # semaines les jours ouvrés'],
    on: 'le',
    date: (number) => (number === '1' ? '1er' : number),
    lastDay: 'dernier jour',
    and: ' et le ',
    nth: { 1: 'premier', 2: 'deuxième', 3: 'troisième', 4: 'quatrième', [-1]: 'dernier' },
    until: (day) => `jusqu’au ${day}`,
    times: (count) => `${count} fois`,
    afterCompletion: 'après achèvement',
  },
}

function phraseOf(text: string, from: string, phrases: Phrases): string {
  const { every, on, date, lastDay, nth, onWeekdays, until, times, locale, and, afterCompletion } = phrases
  const { freq, interval, byDay, byMonth, byMonthDay, ...end } = parseRule(text) as RepeatRule
  const format = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(day))
  const names = byDay.map(({ weekday }) => format(`2001-01-0${weekday + 1}`, { weekday: 'long' }))
  const period = (of: [string, string]) => of[interval === 1 ? 0 : 1].replace('#', `${interval}`)
  const month = format(`2001-${String(byMonth[0] ?? 1).padStart(2, '0')}-01`, { month: 'long' })
  function days(): string {
    const ordinal = nth[byDay[0]?.ordinal ?? 0]
    if (ordinal) return `${ordinal} ${names[0]}`
    if (freq === 'WEEKLY') return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(and)
    const last = byMonthDay.at(-1)
    if (last === undefined) return ''
    if (last === -1) return lastDay
    return freq === 'YEARLY' ? `${date(`${last}`)} ${month}` : date(`${last}`)
  }
  const isOfWeek = freq === 'WEEKLY' && byDay.map(({ weekday }) => weekday).join() === '0,1,2,3,4'
  const rule = isOfWeek ? [period(onWeekdays)] : [period(every[freq]), days() && `${on} ${days()}`]
  const untilDay = end.until && until(format(end.until, { day: 'numeric', month: 'long', year: 'numeric' }))
  const all = [...rule, from === 'done' && afterCompletion, untilDay, end.count && times(end.count)]
  return all.filter(Boolean).join(' ')
}

test.each(['German', 'French'] as const)('Any rule of the form is read from a %s phrase', (language) => {
  fc.assert(
    fc.property(chosen, fc.constantFrom('due', 'done'), (rule, from) => {
      // In French, eight days are a week.
      fc.pre(language === 'German' || !rule.startsWith('FREQ=DAILY;INTERVAL=8'))
      expectToRead(phraseOf(rule, from, phrasesOf[language]), rule, from, findDates)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['alle 2 Wochen am Montag und Donnerstag', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH'],
  ['alle zwei Wochen am Montag und am Donnerstag', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH'],
  ['am letzten Tag des Monats', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  ['jeden 2. Dienstag im Monat', 'FREQ=MONTHLY;BYDAY=2TU'],
  ['alle 3 Monate am 31.', 'FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=28,29,30,31;BYSETPOS=-1'],
  ['tous les 2 semaines le lundi et le jeudi', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH'],
  ['toutes les deux semaines, le lundi et jeudi', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH'],
  ['le dernier jour du mois', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  ['le deuxième mardi du mois', 'FREQ=MONTHLY;BYDAY=2TU'],
  ['tous les 3 mois le 31', 'FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=28,29,30,31;BYSETPOS=-1'],
])('"%s" is read as a rule', (phrase, rule) => expectToRead(phrase, rule, 'due', findDates))

test.each([
  ...['Letzter Tag des Urlaubs', 'Alle Jahre wieder'],
  ...['Dernier jour du mois de juin', 'Le dernier jour du Disco', 'Trois mois le vélo en panne'],
  ...['Alle Monate am Rhein', 'Nach Erledigung Anna anrufen', 'Après achèvement des travaux appeler'],
])('"%s" is no repeat', (title) => {
  const { set } = readTaskText(title, { now: { today, time: '14:00' }, findDates })
  expect(set.repeat ?? null).toBeNull()
})

test('A word of a language may be a single capital letter', () => {
  const rules = rulesOf({ ...english, someday: 'plan D' }, false)
  expect(rules.some(({ pattern }) => 'Plan D'.match(pattern)?.[0] === 'Plan D')).toBe(true)
})
