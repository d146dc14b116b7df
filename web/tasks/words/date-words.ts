import { dueDates } from '#contract/limits.ts'
import { daysAfter } from '../../ui/civil-day.ts'
import { monthsAfter, nextDate, nextWeekday, weekdayOf } from './calendar-days.ts'
import { english } from './english.ts'
import type { Language, Unit } from './language.ts'
import type { DateWords } from './task-text.ts'

/** Where words count as a day: anywhere; at the end, or after a lead; a month only after a lead, at the end. */
type Place = 'anywhere' | 'end' | 'month'
type Groups = Record<string, string | undefined>
type Rule = {
  pattern: RegExp
  place: Place | ((groups: Groups) => Place)
  day: (groups: Groups, today: string) => string | undefined
  isNamed?: boolean
  stays?: boolean
}
type Found = {
  start: number
  end: number
  day: string | undefined
  place: Place
  /** A weekday or a date, which may recur. */
  isNamed: boolean
  isShort: boolean
  stays: boolean
}

/** Of the text before a day, these characters are read. */
const nearby = 60

/** A day does not continue: "tomorrow’s", "monday-ish", "2026-12-24/a". */
const continues = /^(?:['’][\p{L}\p{N}]|[-–/\\_@#\p{L}\p{N}]|[.:][\p{L}\p{N}])/u
const continuesBefore = /[-–/\\_@#.:'’\p{L}\p{N}]$/u
const capitalizedOrCut = /^\p{Lu}|\.$/u

/**
 * Finds the words that name a day from today on, in any of these languages and in English, the language of the page. A text that is not
 * plainly a day is left out or, if it is a weekday at the beginning, only offered.
 */
export function dateWordsOf(others: Language[], hasDottedDates: boolean): DateWords {
  const languages = [english, ...others]
  const any = (of: (language: Language) => string | undefined) =>
    languages.map(of).filter(Boolean).join('|').replaceAll(' ', '\\s+')
  const expression = (source: string, flags = 'iu') => new RegExp(source, flags)
  const before = (words: string) => expression(`(?:^|\\s)(${words})\\s+$`)
  const [every, lead, monthLead] = [
    before(any((of) => of.every)),
    before(any((of) => of.lead)),
    before(any((of) => of.monthLead)),
  ]
  const phrase = before(`${any((of) => of.phrase)}|[&–—-]`)
  const joint = `(?:\\s+(?:${any((of) => of.conjunction)})\\s+|\\s*[&–—-]\\s*)`
  const [joined, joinedToNumber] = [expression(`^${joint}$`), expression(`^${joint}\\d`)]
  const range = expression(`\\d\\.?\\s+(?:${any((of) => of.conjunction)})\\s+$`)
  const end = expression(`^(?:\\s+(?:${any((of) => of.time)}))?[\\s.,;!?]*$`)
  const verb = expression(`^\\s+(?:${any((of) => of.verb)})(?!\\S)`)
  const nouns = expression(`^(?:${any((of) => of.nouns) || '$.'})$`)
  const rules = rulesOf(languages, hasDottedDates)

  function findAll(text: string, today: string): Found[] {
    const found = rules.flatMap(({ pattern, place, day, isNamed = false, stays = false }) =>
      [...text.matchAll(pattern)].map(({ 0: { length }, index, groups = {} }) => ({
        start: index,
        end: index + length,
        day: day(groups, today),
        place: typeof place === 'string' ? place : place(groups),
        isNamed,
        isShort: groups.short !== undefined,
        stays: stays || groups.part !== undefined,
      })),
    )
    found.sort((one, other) => one.start - other.start || other.end - one.end)
    // Of those that overlap, the first and longest counts.
    let last = 0
    return found.filter(({ start, end }) => {
      const isFree = start >= last
      if (isFree) last = end
      return isFree
    })
  }

  function read(text: string, { start, end: stop, place, isNamed, isShort, stays }: Found) {
    const [words, after] = [text.slice(start, stop), text.slice(stop)]
    const isFirst = text.slice(0, start).trim() === ''
    const rest = text.slice(Math.max(0, start - nearby), start)
    if (
      continues.test(after) ||
      continuesBefore.test(rest) ||
      joinedToNumber.test(after) ||
      verb.test(after) ||
      range.test(rest)
    )
      return
    if (isShort && place === 'end' && !capitalizedOrCut.test(words)) return
    if (nouns.test(words) && !isFirst && /^\p{Lu}/u.test(words)) return
    if (isNamed && every.test(rest)) return { start, end: stop, staysInTitle: true, isOnce: true }
    const led = (place === 'month' ? monthLead.exec(rest) : null) ?? lead.exec(rest)
    const isAtEnd = end.test(after)
    const from = led ? start - led[0].trimStart().length : start
    if (phrase.test(rest.slice(0, from - start || undefined))) return
    const isPlain =
      place === 'anywhere' || (place === 'month' ? led && isAtEnd : led || (isAtEnd && !isShort))
    if (isPlain) return { start: stays ? start : from, end: stop, staysInTitle: stays }
    const isOffer = isNamed && place === 'end' && (isAtEnd || (isFirst && /^[\s:,]/.test(after)))
    if (isOffer) return { start, end: stop, staysInTitle: false, isOffer }
  }

  return (text, today) => {
    // The prerendered page knows no day.
    const found = today === '' ? [] : findAll(text, today)
    const isJoinedToNext = found.map(({ end }, index) =>
      joined.test(text.slice(end, found[index + 1]?.start)),
    )
    return found.flatMap((one, index) => {
      const { day } = one
      if (!day || day < today || day > dueDates.max) return []
      if (isJoinedToNext[index] || isJoinedToNext[index - 1]) return []
      const words = read(text, one)
      return words ? [{ ...words, day }] : []
    })
  }
}

/** The rules of these languages: an expression that names a day, and the function that returns the day. */
function rulesOf(languages: Language[], hasDottedDates: boolean): Rule[] {
  const any = (of: (language: Language) => string | undefined) => languages.map(of).filter(Boolean).join('|')
  const weekdays = Array.from({ length: 7 }, (_, index) => any((of) => of.weekdays[index]))
  const shorts = Array.from({ length: 7 }, (_, index) => any((of) => of.shortWeekdays?.[index]))
  const months = Array.from({ length: 12 }, (_, index) => any((of) => of.months[index]))
  const units: [Unit, string][] = (['day', 'week', 'month', 'year'] as const).map((unit) => [
    unit,
    any((of) => of.units[unit]),
  ])
  const numbers = Object.assign({}, ...languages.map((of) => of.numbers)) as Record<string, number>
  const group = (name: string, sources: string[]) => `(?<${name}>${sources.filter(Boolean).join('|')})`
  const short = shorts.some(Boolean) ? `|${group('short', shorts)}` : ''
  const weekday = `(?<weekday>${weekdays.join('|')}${short})`
  const part = `(?:[ -]?(?<part>${any((of) => of.partOfDay)}))?`

  const compile = (source: string) =>
    new RegExp(
      `(?<![\\p{L}\\p{N}_])(?:${source
        .replace(/\bW\b/g, weekday)
        .replace(/\bM\b/g, group('month', months))
        .replace(/\bD\b/g, '(?<day>\\d{1,2})')
        .replaceAll(' ', '\\s+')})(?![\\p{L}\\p{N}_])`,
      'giu',
    )
  const rule = (source: string, place: Rule['place'], day: Rule['day'], more: Partial<Rule> = {}): Rule[] =>
    source === '' ? [] : [{ pattern: compile(source), place, day, ...more }]
  const each = (of: (language: Language) => string[], make: (source: string, index: number) => Rule[]) =>
    languages.flatMap((language) => of(language).flatMap(make))

  const indexIn = (sources: string[], words = '') =>
    sources.findIndex((source) => source !== '' && new RegExp(`^(?:${source})$`, 'iu').test(words))
  const weekdayIn = ({ weekday }: Groups) =>
    indexIn(
      weekdays.map((source, index) => [source, shorts[index]].filter(Boolean).join('|')),
      weekday,
    )
  const dateIn = ({ year, month = '', day }: Groups, today: string) =>
    nextDate(today, {
      year: year === undefined ? undefined : Number(year.length === 2 ? `20${year}` : year),
      month: /^\d/.test(month) ? Number(month) : indexIn(months, month) + 1,
      date: Number(day ?? 1),
    })
  const monthThatIsAWord = new RegExp(`^(?:${any((of) => of.monthsThatAreWords) || '$.'})$`, 'iu')
  const later = (today: string, count: number, unit: Unit) =>
    unit === 'day' || unit === 'week'
      ? daysAfter(today, unit === 'day' ? count : 7 * count)
      : monthsAfter(today, unit === 'month' ? count : 12 * count)
  const comingWeekday = (groups: Groups, today: string) => nextWeekday(today, weekdayIn(groups))

  return [
    ...each(
      (of) => of.days,
      (source, index) => rule(`(?:${source})${part}`, 'anywhere', (_, today) => daysAfter(today, index)),
    ),
    ...rule(
      any((of) => of.tonight),
      'anywhere',
      (_, today) => today,
      { stays: true },
    ),
    ...rule('(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})', 'anywhere', dateIn),
    ...(hasDottedDates
      ? rule(
          '(?:W\\.?,? )?(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}|\\d\\d))?',
          'anywhere',
          dateIn,
          {
            isNamed: true,
          },
        )
      : []),
    ...each(
      (of) => of.dates,
      (source) =>
        rule(
          `(?:W\\.?,? )?${source}(?:,? (?<year>\\d{4}))?`,
          ({ year, month = '', ordinal }) =>
            monthThatIsAWord.test(month) && year === undefined && ordinal === undefined ? 'end' : 'anywhere',
          dateIn,
          { isNamed: true },
        ),
    ),
    ...rule(
      `(?:${any((of) => of.within)}) (?<count>\\d{1,5}|${Object.keys(numbers).join('|')}) (?<unit>${units.map(([, source]) => source).join('|')})`,
      'anywhere',
      ({ count = '', unit }, today) => {
        const [name] =
          units[
            indexIn(
              units.map(([, source]) => source),
              unit,
            )
          ] ?? []
        return name && later(today, numbers[count.toLowerCase()] ?? Number(count), name)
      },
    ),
    ...each(
      (of) => of.thisWeekday,
      (source) => rule(source + part, 'anywhere', comingWeekday, { isNamed: true }),
    ),
    ...each(
      (of) => [of.nextWeekday].filter(Boolean),
      (source) =>
        rule(
          source + part,
          'anywhere',
          (groups, today) => daysAfter(today, 7 - weekdayOf(today) + weekdayIn(groups)),
          {
            isNamed: true,
          },
        ),
    ),
    ...rule(`W${part}`, 'end', comingWeekday, { isNamed: true }),
    ...(['week', 'month', 'year'] as const).flatMap((unit) =>
      rule(
        any((of) => of.next[unit]),
        'end',
        (_, today) => later(today, 1, unit),
      ),
    ),
    ...rule(
      any((of) => of.weekend),
      'end',
      (_, today) => (weekdayOf(today) === 6 ? today : nextWeekday(today, 5)),
    ),
    ...rule(
      any((of) => of.endOfMonth),
      'end',
      (_, today) => daysAfter(monthsAfter(`${today.slice(0, 8)}01`, 1), -1),
    ),
    ...rule('M(?:,? (?<year>\\d{4}))?', 'month', dateIn),
  ]
}

/** Languages besides English. */
const others: Record<string, () => Promise<Language>> = {
  de: async () => (await import('./german.ts')).german,
  fr: async () => (await import('./french.ts')).french,
}

/** The function that finds days in the browser's languages. */
export async function spokenDateWords(): Promise<DateWords> {
  const spoken = new Set(navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()))
  const languages = await Promise.all([...spoken].flatMap((language) => others[language]?.() ?? []))
  return dateWordsOf(languages, hasDottedDates())
}

/** Whether the reader's language writes the 24th of December as 24.12. */
const hasDottedDates = () =>
  /^24\.\s?12\./.test(new Date(2026, 11, 24).toLocaleDateString(navigator.languages, { dateStyle: 'short' }))
