import type { Facts } from './day-of-facts.ts'
import { type Language, units } from './language.ts'

/**
 * `day`: states facts. `number`, `unit`, `time`: belongs to a day, or stands next to it by chance. `qualifier`: changes a day next to it.
 * `joint`: connects what is before it with what follows. `opener`: belongs to what follows.
 */
export type Kind = 'day' | 'number' | 'unit' | 'time' | 'qualifier' | 'joint' | 'opener'

/** An expression that finds words of a language, and what they say of a day besides the names in them. */
export type Rule = { pattern: RegExp; kind: Kind; names: Names; facts: Facts; isThis: boolean }

type Groups = Record<string, string | undefined>
type Names = ReturnType<typeof namesOf>

/** The names of weekdays, months, numbers and units: sources of expressions, and the meanings of the groups of a match. */
function namesOf({ weekdays, shortWeekdays = [], months, numbers, units: named, ...language }: Language) {
  const group = (name: string, sources: string[]) => `(?<${name}>${sources.join('|')})`
  const whole = (source = '') => new RegExp(`^(?:${source.replaceAll(' ', '\\s+') || '$.'})$`, 'iu')
  const indexIn = (sources: string[], words = '') => sources.findIndex((source) => whole(source).test(words))
  const unitSources = units.map((unit) => named[unit])
  const bothWeekdays = weekdays.map((source, index) =>
    [source, ...shortWeekdays.slice(index, index + 1)].join('|'),
  )
  const short = shortWeekdays.length > 0 ? `|${group('short', shortWeekdays)}` : ''

  function factsOf({ weekday, month, date, year, count, unit }: Groups): Facts {
    return {
      ...(weekday && { weekday: indexIn(bothWeekdays, weekday) }),
      ...(month && { month: /^\d/.test(month) ? Number(month) : indexIn(months, month) + 1 }),
      ...(date && { date: Number(date) }),
      ...(year && { year: Number(year.length === 2 ? `20${year}` : year) }),
      ...(count && { count: numbers[count.toLowerCase()] ?? Number(count) }),
      ...(unit && { unit: indexIn(unitSources, unit) }),
    }
  }

  return {
    weekday: `(?<weekday>${weekdays.join('|')}${short})`,
    month: group('month', months),
    count: `(?<count>\\d{1,5}|${Object.keys(numbers).join('|')})`,
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

/** The expressions of a language. Of two that find the same words, the first counts. */
export function rulesOf(language: Language, hasDottedDates: boolean): Rule[] {
  const names = namesOf(language)
  const { count, unit, numberWords } = names
  const part = `(?:\\s?(?<part>${language.partOfDay}))?`
  const day = (source: string, facts: Facts = {}, isThis = false) => make('day', source, facts, isThis)
  const words = (kind: Kind, ...sources: (string | undefined)[]) =>
    make(kind, sources.filter(Boolean).join('|'))
  const each = (sources: string[], rule: (source: string, index: number) => Rule[]) => sources.flatMap(rule)

  function make(kind: Kind, source: string, facts: Facts = {}, isThis = false): Rule[] {
    const spelled = source
      .replace(/\bW\b/g, names.weekday)
      .replace(/\bM\b/g, names.month)
      .replace(/\bD\b/g, '(?<date>\\d{1,2})')
      .replaceAll(' ', '\\s+')
    // No part of a number or of a time. "Check-in" has no "in", but "mon-fri" two days.
    const compound = kind === 'day' || kind === 'number' ? '' : "|\\p{L}[-’']"
    const pattern = new RegExp(
      `(?<![\\p{L}\\p{N}_]${compound})(?:${spelled})(?![\\p{L}\\p{N}_]|[.:/]\\d)`,
      'giu',
    )
    return source ? [{ pattern, kind, names, facts, isThis }] : []
  }

  const beforeDate = `(?:W\\.?,? )?`
  const dotted = '(?<date>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}|\\d\\d))?'
  return [
    ...each(language.days, (source, offset) => day(`(?:${source})${part}`, { offset })),
    ...day('(?<year>\\d{4})-(?<month>\\d{1,2})-(?<date>\\d{1,2})'),
    ...(hasDottedDates ? day(`${beforeDate}(?:${language.article} )?${dotted}`) : []),
    ...each(language.dates, (source) => day(`${beforeDate}${source}(?:,? (?<year>\\d{4}))?`)),
    ...day(language.datedWeekday),
    ...day(`(?:${language.within}) ${count} ${unit}`),
    ...each(language.weeksOn, (source, index) => day(source, { weeksOn: index + 1 })),
    ...day(language.thisWeekday + part, {}, true),
    ...day(language.comingWeekday + part, { coming: 1 }),
    ...(language.nextWeekday ? day(language.nextWeekday + part, { week: 1 }) : []),
    ...each(language.nth, (source, nth) => day(`(?:${language.article} )?(?:${source}) W`, { nth })),
    ...day(`W${part}`),
    ...each(language.periods.week, (source, week) => day(source, { week })),
    ...each(language.periods.month, (source, monthsOn) => day(source, { monthsOn })),
    ...each(language.periods.year, (source, yearsOn) => day(source, { yearsOn })),
    ...day(language.weekend, { weekend: 1 }),
    ...day(language.endOfThisMonth, { end: 1, monthsOn: 0 }),
    ...day(language.endOf, { end: 1 }),
    ...day('M(?:,? (?<year>\\d{4}))?'),
    ...words('time', language.time),
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
    { pattern: /[&+/–—-]/gu, kind: 'joint', names, facts: {}, isThis: false },
  ]
}
