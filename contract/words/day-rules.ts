import { frequencies, onDateOrLast, weekdays as weekdayCodes } from '../repeat-rules.ts'
import { type Language, units } from './language.ts'
import type { Facts } from './time-of-facts.ts'

/** What words do in a line. */
export type Kind =
  /** They state facts. */
  | 'day'
  | 'time'
  /** They belong to a day, or are next to it by chance. */
  | 'number'
  | 'unit'
  /** They change a day next to them: "last". */
  | 'qualifier'
  /** They connect what is before them with what follows: "or". */
  | 'joint'
  /** They belong to what follows: "for". */
  | 'opener'

/** An expression that finds words of a language, and what they say of a day besides the names in them. */
export type Rule = {
  pattern: RegExp
  kind: Kind
  names: Names
  facts: Facts
  /** A weekday with "this", a time with "at". */
  isLed: boolean
  doubt: Doubt
  /** The words say this of a repeat: "for 2 weeks". After "until" and "from", the day follows. */
  ofRepeat?: 'until' | 'from' | 'times' | 'lasting'
  /** The rule of a repeat, with names in braces for what the words say. */
  repeat?: string
}

/** Why words may state no day, time or repeat, although a rule finds them. */
export type Doubt =
  | 'none'
  /** "At 5" may be followed by the things that are counted. */
  | 'number'
  /** "17:30" may be any number, unless a day is next to it. */
  | 'alone'
  /** "In 2 hours" may be how long something takes. */
  | 'distance'
  /** "In the evening" may be every evening. */
  | 'part'
  /** "Every month" may describe what happens every month. */
  | 'vague'
  /** "Weekly" may describe the word after it. */
  | 'adjective'

type Groups = Record<string, string | undefined>
type Names = ReturnType<typeof namesOf>

/** The names of weekdays, months, numbers and units: sources of expressions, and the meanings of the groups of a match. */
function namesOf({ weekdays, shortWeekdays = [], months, numbers, units: named, ...language }: Language) {
  const group = (name: string, sources: string[]) => `(?<${name}>${sources.join('|')})`
  // Making an expression takes longer than using it.
  const expressions = new Map<string, RegExp>()
  function whole(source = '') {
    const made = expressions.get(source)
    if (made) return made
    const expression = new RegExp(`^(?:${source.replaceAll(' ', '\\s+') || '$.'})$`, 'iu')
    expressions.set(source, expression)
    return expression
  }
  const indexIn = (sources: string[], words = '') => sources.findIndex((source) => whole(source).test(words))
  const unitSources = units.map((unit) => named[unit])
  const { hours, partsOfDay, partsOfTime } = language.clock
  const parts = [...Object.entries(partsOfDay), ...Object.entries(partsOfTime)]
  const bothWeekdays = weekdays.map((source, index) =>
    [source, ...shortWeekdays.slice(index, index + 1)].join('|'),
  )
  const short = shortWeekdays.length > 0 ? `|${group('short', shortWeekdays)}` : ''

  const partOf = (words: string) => Number(parts.find(([, source]) => whole(source).test(words))?.[0])
  const monthOf = (word = '') => (/^\d/.test(word) ? Number(word) : indexIn(months, word) + 1)
  const numberOf = (word: string) => numbers[word.toLowerCase()] ?? (indexIn(hours, word) + 1 || Number(word))

  function factsOf(groups: Groups): Facts {
    const { weekday, month, date, year, count, unit, part, hour, minute, am, pm } = groups
    return {
      ...(part && partOf(part) && { part: partOf(part) }),
      ...(hour && { hour: indexIn(hours, hour) + 1 || Number(hour), minute: Number(minute ?? 0) }),
      ...((am ?? pm) && { half: am ? 0 : 12 }),
      ...(weekday && { weekday: indexIn(bothWeekdays, weekday) }),
      ...(month && { month: monthOf(month) }),
      ...(date && { date: Number(date) }),
      ...(year && { year: Number(year.length === 2 ? `20${year}` : year) }),
      ...(count && { count: numberOf(count) }),
      ...(unit && { unit: indexIn(unitSources, unit) }),
    }
  }

  /** The rule that words name: the text with the values of its names. */
  function repeatOf(text: string, groups: Groups): Facts {
    const { list = groups.weekday ?? '', nth = '', count, unit, date = '', month, part } = groups
    const isFromDone = groups.done || groups.completion
    const days = list.split(/(?:[,&/]|\s(?:and|und|et)\s)+/).map((word) => {
      const name = word.trim().replace(articleBefore, '')
      const index = indexIn(bothWeekdays, name)
      return weekdayCodes[index >= 0 ? index : indexIn(bothWeekdays, name.replace(/s$/i, ''))]
    })
    const values: Record<string, unknown> = {
      list: [...new Set(days)].join(','),
      nth: indexIn(language.nth, nth) || -1,
      count: numberOf(count ?? ''),
      freq: frequencies[indexIn(unitSources, unit)],
      month: monthOf(month),
      dates: datesOf((date.match(/\d+/g) ?? []).map(Number), month === undefined || monthOf(month) === 2),
    }
    const rule = text.replace(/\{(\w+)\}/g, (_, name) => `${values[name]}`)
    return { rule, ...(isFromDone && { fromDone: 1 }), ...(part && partOf(part) && { part: partOf(part) }) }
  }

  const date = `\\d{1,2}(?:${language.repeats.ordinal})`
  return {
    repeatOf,
    slashed: `(?<list>(?:${bothWeekdays.join('|')})(?:/(?:${bothWeekdays.join('|')})){2,6})`,
    /** In French only the first has an ordinal. */
    dates: `(?<date>${listOf(language.repeats.ordinal === 'er' ? `${date}?(?!\\s?h)` : date)})`,
    weekdays: `(?<list>${listOf(`(?:${bothWeekdays.join('|')})s?`)})`,
    habits: `(?<list>${listOf(`(?:${weekdays.join('|')})s`)})`,
    nth: group('nth', language.nth),
    weekday: `(?<weekday>${weekdays.join('|')}${short})`,
    month: group('month', months),
    count: `(?<count>\\d{1,5}|${Object.keys(numbers).join('|')})`,
    countOfHours: `(?<count>\\d{1,3}|${[...Object.keys(numbers), ...hours].join('|')})`,
    spokenHour: `(?<hour>\\d{1,2}|${hours.join('|')})`,
    unit: group('unit', unitSources),
    numberWords: [
      ...Object.keys(numbers).filter((word) => (numbers[word] ?? 0) > 1),
      language.vagueNumbers,
    ].join('|'),
    isNoun: whole(language.nouns),
    isMonthAWord: whole(language.monthsThatAreWords),
    factsOf,
  }
}

/** "Le lundi et le jeudi". */
const articleBefore = /^(?:on|am|les?)\s+/i

const listOf = (word: string) =>
  `${word}(?:(?:,?\\s(?:and|und|et)\\s|,\\s?|\\s?[&/]\\s?)(?:(?:on|the|am|les?)\\s)?${word})*`

/** The part of a rule for days of the month. A single one is the last day in shorter months. */
function datesOf(dates: number[], isShorter: boolean): string {
  const [date = 0, ...others] = dates
  if (others.length > 0) return `BYMONTHDAY=${dates.map((each) => (each === 31 ? -1 : each))}`
  return isShorter ? onDateOrLast(date) : `BYMONTHDAY=${date}`
}

/** The letters of the languages. None of them has `ø`. */
const letters = 'a-zß-öø-ÿœ'
const otherLetters = /[^\P{L}A-Za-zÀ-ÖØ-öø-ÿŒœ]/gu
const otherNumbers = /[^\P{N}\d]/gu

/**
 * The text with `ø` for every other letter and `_` for every other number, in the same places. An expression with all letters of
 * Unicode takes several times as long to compile.
 */
export const inLetters = (text: string) =>
  text
    .replace(otherLetters, ({ length }) => 'ø'.repeat(length))
    .replace(otherNumbers, ({ length }) => '_'.repeat(length))

/** The expressions of a language. Of two that find the same words, the first counts. An expression reads the text `inLetters`. */
export function rulesOf(language: Language, hasDottedDates: boolean): Rule[] {
  const names = namesOf(language)
  const { weekday, month, unit, count, nth, weekdays, habits, slashed, dates, spokenHour, numberWords } =
    names
  const slots: Record<string, string> = {
    ...{ weekday, month, unit, count, nth, weekdays, habits, slashed, dates, spokenHour },
    date: '(?<date>\\d{1,2})',
    hour: '(?<hour>\\d{1,2})',
    minute: '(?<minute>\\d\\d)',
    every: `(?:${language.repeats.every})`,
  }
  const { clock } = language
  const sourcesOf = (named: Record<number, string>) => Object.values(named).join('|')
  const part = `(?:\\s?(?<part>${sourcesOf(clock.partsOfDay)}))?`
  const day = (source: string, facts: Facts = {}, isLed = false) => make('day', source, facts, isLed)
  const words = (kind: Kind, ...sources: (string | undefined)[]) =>
    make(kind, sources.filter(Boolean).join('|'))
  const each = (sources: string[], rule: (source: string, index: number) => Rule[]) => sources.flatMap(rule)
  // Without the first part, each place in a row of spaces would read those before it.
  const after = (leads: (string | undefined)[]) =>
    `(?!\\s)(?<=(?<![${letters}\\d_])(?:${leads.filter(Boolean).join('|')})\\s+)`

  function make(kind: Kind, source: string, facts: Facts = {}, isLed = false, doubt: Doubt = 'none'): Rule[] {
    const spelled = source
      .replace('{every}', '{every}(?<done>!)?')
      .replace(/\{(\w+)\}/g, (written, slot) => slots[slot] ?? written)
      .replaceAll(' ', '\\s+')
    // No part of a number or of a time. "Check-in" has no "in", but "mon-fri" two days.
    const compound = kind === 'day' || kind === 'number' ? '' : `|[${letters}][-’']`
    const pattern = new RegExp(
      `(?<![${letters}\\d_]${compound})(?:${spelled})(?![${letters}\\d_]|[.:/]\\d)`,
      'giu',
    )
    return source ? [{ pattern, kind, names, facts, isLed, doubt }] : []
  }

  const beforeDate = '(?:{weekday}\\.?,? )?'
  const dotted =
    '(?<date>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}|\\d\\d)(?!\\s?(?:uhr|h)))?'
  return [
    ...timesOf(),
    ...repeatsOf(),
    ...day(language.someday, { someday: 1 }),
    ...day(language.tonight ?? '', { offset: 0, part: 19 }),
    ...Object.entries(language.days).flatMap(([offset, source]) =>
      day(`(?:${source})${part}`, { offset: Number(offset) }),
    ),
    ...day('(?<year>\\d{4})-(?<month>\\d{1,2})-(?<date>\\d{1,2})'),
    ...(hasDottedDates ? day(`${beforeDate}(?:${language.article} )?${dotted}`) : []),
    ...each(language.dates, (source) => day(`${beforeDate}${source}(?:,? (?<year>\\d{4}))?`)),
    ...day(language.datedWeekday),
    ...day(`${after([language.lead, language.dateLead, language.repeats.until])}${language.numberedDay}`),
    ...day(`(?:${language.within}) ${count} ${unit}`),
    ...each(language.weeksOn, (source, index) => day(source, { weeksOn: index + 1 })),
    ...day(language.thisWeekday + part, {}, true),
    ...day(language.comingWeekday + part, { coming: 1 }),
    ...(language.nextWeekday ? day(language.nextWeekday + part, { week: 1 }) : []),
    ...each(language.nth, (source, nth) => day(`(?:${language.article} )?(?:${source}) {weekday}`, { nth })),
    ...day(`{weekday}${part}`),
    ...each(language.periods.week, (source, week) => day(source, { week })),
    ...each(language.periods.month, (source, monthsOn) => day(source, { monthsOn })),
    ...each(language.periods.year, (source, yearsOn) => day(source, { yearsOn })),
    ...day(language.weekend, { weekend: 1 }),
    ...day(language.nextWeekend, { weekend: 1, week: 1 }),
    ...day(language.endOfThisMonth, { end: 1, monthsOn: 0 }),
    ...day(language.endOf, { end: 1 }),
    ...day('{month}(?:,? (?<year>\\d{4}))?'),
    ...words('number', '\\d+(?:[.:/]\\d+)*(?:st|nd|rd|th|er|e|ème|\\.)?', numberWords),
    ...words(
      'qualifier',
      `(?:\\d+|${numberWords}|${count.replace('?<count>', '?:')}) (?:${numberWords} )?${unit}`,
    ),
    ...words('qualifier', language.units.week, language.qualifiers),
    ...words('unit', language.units.day, language.units.month, language.units.year, language.vague),
    ...words(
      'joint',
      language.joints,
      language.glue,
      language.lead,
      language.monthLead,
      language.dateLead,
      language.within,
    ),
    ...words('opener', language.openers),
    { pattern: /[&+/–—-]/gu, kind: 'joint', names, facts: {}, isLed: false, doubt: 'none' },
  ]

  function repeatsOf(): Rule[] {
    const { every, phrases, adjectives, until, feasts, from, times, lasting, afterCompletion } =
      language.repeats
    const completion = afterCompletion ? `(?: (?<completion>${afterCompletion}))?` : ''
    const named = (list: [string, string][], doubt: Doubt) =>
      list.flatMap(([source, repeat]) =>
        make(
          'day',
          (source.includes('?<part>') ? source : `(?:${source})${part}`) + completion,
          {},
          false,
          doubt,
        ).map((rule): Rule => ({ ...rule, repeat })),
      )
    const of = (ofRepeat: NonNullable<Rule['ofRepeat']>, rules: Rule[]) =>
      rules.map((rule): Rule => ({ ...rule, ofRepeat }))
    return [
      ...named(phrases, 'none'),
      // Nobody writes "every! day" in another sense.
      ...named([[`(?:${every})(?<done>!) {unit}`, 'FREQ={freq}']], 'none'),
      ...named([['{every} {unit}', 'FREQ={freq}']], 'vague'),
      ...named(adjectives, 'adjective'),
      ...of('until', words('joint', until)),
      ...of('from', words('joint', from)),
      ...Object.entries(feasts).flatMap(([feast, source]) => {
        const [month, date] = feast.split('-').map(Number) as [number, number]
        return day(`${after([until])}(?:${source})`, { month, date })
      }),
      ...of('times', day(times)),
      ...of('lasting', day(lasting)),
    ]
  }

  function timesOf(): Rule[] {
    const { at, beforeHour, isJoint, hasTwelveHours, halves, noon, midnight } = clock
    /** Some languages count twelve hours, and in all of them some people do. */
    const twelve: Facts = { twelve: hasTwelveHours ? 1 : 0 }
    const ofDay = `(?<part>${sourcesOf(clock.partsOfTime)})`
    const time = (source: string, facts: Facts, isLed: boolean, doubt?: Doubt) =>
      make('time', source, facts, isLed, doubt)
    const led = (source: string, facts: Facts) => time(`(?:${at}) (?:${source})`, facts, !isJoint)
    const both = (source: string, facts: Facts, doubt?: Doubt) => [
      ...led(source, facts),
      ...time(source, facts, false, doubt),
    ]
    const withPart = (source: string) => `${source}(?: ${ofDay})?`
    const distance = (source: string, minutes: string, facts: Facts = {}) =>
      time(`(?:${language.within}) ${source}`, { ...facts, minutes: Number(minutes) }, false, 'distance')
    return [
      ...(halves
        ? both(`{spokenHour}(?:[:.]{minute})?\\s?(?:(?<am>${halves.am})|(?<pm>${halves.pm}))`, {})
        : []),
      ...each(clock.plain, (source) => both(withPart(source), hasTwelveHours ? twelve : {})),
      ...Object.entries(clock.spoken).flatMap(([more, source]) =>
        both(withPart(source), { ...twelve, more: Number(more) }),
      ),
      ...each(clock.led, (source) => led(withPart(source), {})),
      ...each(clock.loose, (source) => time(source, {}, false, 'alone')),
      ...each(clock.loose, (source) => time(`${source} ${ofDay}`, {}, false)),
      ...both(noon, { hour: 12, minute: 0 }, 'alone'),
      ...both(midnight, { midnight: 1 }, 'alone'),
      ...both(`{spokenHour} ${ofDay}`, {}),
      ...Object.entries(clock.partsAlone).flatMap(([part, source]) =>
        time(source, { part: Number(part) }, false, 'part'),
      ),
      ...time(ofDay, {}, false, 'alone'),
      ...(beforeHour ? time(`(?:${beforeHour}) {spokenHour}`, twelve, true, 'number') : []),
      // "À 5" is no time, but belongs to none of the words next to it.
      ...words('time', `(?:${at}) \\d{1,2}`),
      ...Object.entries(clock.units).flatMap(([minutes, unit]) =>
        distance(`${names.countOfHours}\\s?(?:${unit})`, minutes),
      ),
      ...Object.entries(clock.durations).flatMap(([minutes, source]) =>
        distance(`(?:${source})`, minutes, { count: 1 }),
      ),
    ]
  }
}
