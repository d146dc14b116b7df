import { daysAfter } from '../../ui/civil-day.ts'
import { monthsAfter, nextDate, nextWeekday, unitsAfter, weekdayOf } from './calendar-days.ts'
import type { Language, Unit } from './language.ts'

/** Where words count as a day: anywhere; at the end, or after a lead; a month only after a lead, at the end. */
export type Place = 'anywhere' | 'end' | 'month'
type Groups = Record<string, string | undefined>
export type Rule = {
  pattern: RegExp
  place: Place | ((groups: Groups) => Place)
  day: (groups: Groups, today: string) => string | undefined
  /** A weekday or a date, which may recur. */
  isNamed?: boolean
  /** Whether the words stay in the title. */
  stays?: boolean
}

const units: Unit[] = ['day', 'week', 'month', 'year']

/** The words of all languages, as the source of one expression. */
export const anyOf = (languages: Language[], of: (language: Language) => string | undefined) =>
  languages.map(of).filter(Boolean).join('|')

/** The rules of these languages: an expression that names a day, and the function that returns the day. */
export function rulesOf(languages: Language[], hasDottedDates: boolean): Rule[] {
  const words = calendarWordsOf(languages)
  const rules = ruleMakerOf(languages, words)
  // Of two rules for the same words, the first counts.
  return [
    ...relativeDays(rules),
    ...dates(rules, words, hasDottedDates),
    ...distances(rules, words),
    ...weekdays(rules, words),
    ...periods(rules),
    ...rules.make('M(?:,? (?<year>\\d{4}))?', 'month', words.dateIn),
  ]
}

type CalendarWords = ReturnType<typeof calendarWordsOf>

/** The words for weekdays, months, units and numbers: sources of expressions, and the meanings of the groups of a match. */
function calendarWordsOf(languages: Language[]) {
  const any = (of: (language: Language) => string | undefined) => anyOf(languages, of)
  const named = Array.from({ length: 7 }, (_, index) => any((of) => of.weekdays[index]))
  const shorts = Array.from({ length: 7 }, (_, index) => any((of) => of.shortWeekdays?.[index]))
  const months = Array.from({ length: 12 }, (_, index) => any((of) => of.months[index]))
  const ofUnits = units.map((unit) => any((of) => of.units[unit]))
  const numbers = Object.assign({}, ...languages.map((of) => of.numbers)) as Record<string, number>
  const wordMonth = new RegExp(`^(?:${any((of) => of.monthsThatAreWords) || '$.'})$`, 'iu')
  const group = (name: string, sources: string[]) => `(?<${name}>${sources.filter(Boolean).join('|')})`
  const short = shorts.some(Boolean) ? `|${group('short', shorts)}` : ''

  const indexIn = (sources: string[], words = '') =>
    sources.findIndex((source) => source !== '' && new RegExp(`^(?:${source})$`, 'iu').test(words))
  const weekdaySources = named.map((source, index) => [source, shorts[index]].filter(Boolean).join('|'))

  return {
    weekday: `(?<weekday>${named.join('|')}${short})`,
    month: group('month', months),
    count: `(?<count>\\d{1,5}|${Object.keys(numbers).join('|')})`,
    unit: group('unit', ofUnits),

    isMonthAWord: ({ month = '' }: Groups) => wordMonth.test(month),
    weekdayIn: ({ weekday }: Groups) => indexIn(weekdaySources, weekday),
    dateIn: ({ year, month = '', day }: Groups, today: string) =>
      nextDate(today, {
        year: year === undefined ? undefined : Number(year.length === 2 ? `20${year}` : year),
        month: /^\d/.test(month) ? Number(month) : indexIn(months, month) + 1,
        date: Number(day ?? 1),
      }),
    countIn: ({ count = '' }: Groups) => numbers[count.toLowerCase()] ?? Number(count),
    unitIn: ({ unit }: Groups) => units[indexIn(ofUnits, unit)],
  }
}

type RuleMaker = ReturnType<typeof ruleMakerOf>

/** Makes rules of the sources in `language.ts`: one for the words of all languages, or one for each source of each language. */
function ruleMakerOf(languages: Language[], { weekday, month }: CalendarWords) {
  const any = (of: (language: Language) => string | undefined) => anyOf(languages, of)
  const compile = (source: string) =>
    new RegExp(
      `(?<![\\p{L}\\p{N}_])(?:${source
        .replace(/\bW\b/g, weekday)
        .replace(/\bM\b/g, month)
        .replace(/\bD\b/g, '(?<day>\\d{1,2})')
        .replaceAll(' ', '\\s+')})(?![\\p{L}\\p{N}_])`,
      'giu',
    )
  return {
    any,
    make: (source: string, place: Rule['place'], day: Rule['day'], more: Partial<Rule> = {}): Rule[] =>
      source === '' ? [] : [{ pattern: compile(source), place, day, ...more }],
    each: (of: (language: Language) => string[], make: (source: string, index: number) => Rule[]) =>
      languages.flatMap((language) => of(language).flatMap(make)),
    /** Follows a day: "morning". */
    part: `(?:[ -]?(?<part>${any((of) => of.partOfDay)}))?`,
  }
}

/** Today, tomorrow, tonight. */
const relativeDays = ({ any, make, each, part }: RuleMaker): Rule[] => [
  ...each(
    (of) => of.days,
    (source, index) => make(`(?:${source})${part}`, 'anywhere', (_, today) => daysAfter(today, index)),
  ),
  ...make(
    any((of) => of.tonight),
    'anywhere',
    (_, today) => today,
    { stays: true },
  ),
]

/** 2026-12-24, 24.12., 24th of December. */
function dates(
  { any, make, each }: RuleMaker,
  { dateIn, isMonthAWord }: CalendarWords,
  hasDottedDates: boolean,
): Rule[] {
  const lead = `(?:(?:${any((of) => of.beforeDate) || '$.'}) )?(?:W\\.?,? )?`
  const dotted = '(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}|\\d\\d))?'
  const placeOf = (groups: Groups) =>
    isMonthAWord(groups) && groups.year === undefined && groups.ordinal === undefined ? 'end' : 'anywhere'
  return [
    ...make('(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})', 'anywhere', dateIn),
    ...(hasDottedDates ? make(lead + dotted, 'anywhere', dateIn, { isNamed: true }) : []),
    ...each(
      (of) => of.dates,
      (source) => make(`${lead}${source}(?:,? (?<year>\\d{4}))?`, placeOf, dateIn, { isNamed: true }),
    ),
  ]
}

/** In three days. */
const distances = ({ any, make }: RuleMaker, { count, unit, countIn, unitIn }: CalendarWords): Rule[] =>
  make(`(?:${any((of) => of.within)}) ${count} ${unit}`, 'anywhere', (groups, today) => {
    const name = unitIn(groups)
    return name && unitsAfter(today, countIn(groups), name)
  })

/** This Monday, next Monday, Monday. */
function weekdays({ make, each, part }: RuleMaker, { weekdayIn }: CalendarWords): Rule[] {
  const coming: Rule['day'] = (groups, today) => nextWeekday(today, weekdayIn(groups))
  const ofNextWeek: Rule['day'] = (groups, today) =>
    daysAfter(today, 7 - weekdayOf(today) + weekdayIn(groups))
  return [
    ...each(
      (of) => of.thisWeekday,
      (source) => make(source + part, 'anywhere', coming, { isNamed: true }),
    ),
    ...each(
      (of) => [of.nextWeekday].filter(Boolean),
      (source) => make(source + part, 'anywhere', ofNextWeek, { isNamed: true }),
    ),
    ...make(`W${part}`, 'end', coming, { isNamed: true }),
  ]
}

/** Next week, this weekend, at the end of the month. */
const periods = ({ any, make }: RuleMaker): Rule[] => [
  ...(['week', 'month', 'year'] as const).flatMap((unit) =>
    make(
      any((of) => of.next[unit]),
      'end',
      (_, today) => unitsAfter(today, 1, unit),
    ),
  ),
  ...make(
    any((of) => of.weekend),
    'end',
    (_, today) => (weekdayOf(today) === 6 ? today : nextWeekday(today, 5)),
  ),
  ...make(
    any((of) => of.endOfMonth),
    'end',
    (_, today) => daysAfter(monthsAfter(`${today.slice(0, 8)}01`, 1), -1),
  ),
]
