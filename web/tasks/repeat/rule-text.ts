import { dateOrLastOf, parseRule, type RepeatRule, type WeekdayOf } from '#contract/repeat-rules.ts'
import { type DayContext, formatCivil, formatDay } from '../../ui/civil-day.ts'

/** The forms of a sentence for its number, by the categories of Intl.PluralRules. */
type Forms = { one: string; two?: string; few?: string; other: string }

const language = 'en'

/** One sentence for each shape of rules: with the days of a period, with months, with both, or with none. */
const sentences = {
  weekdays: { one: 'Every weekday', other: 'Every {count} weeks on weekdays' },
  DAILY: { one: 'Every day', other: 'Every {count} days' },
  'DAILY on': { one: 'Every day if it is {days}', other: 'Every {count} days if it is {days}' },
  'DAILY in': { one: 'Every day in {months}', other: 'Every {count} days in {months}' },
  'DAILY on in': {
    one: 'Every day in {months} if it is {days}',
    other: 'Every {count} days in {months} if it is {days}',
  },
  WEEKLY: { one: 'Every week', other: 'Every {count} weeks' },
  'WEEKLY on': { one: 'Every week on {days}', other: 'Every {count} weeks on {days}' },
  'WEEKLY in': { one: 'Every week in {months}', other: 'Every {count} weeks in {months}' },
  'WEEKLY on in': {
    one: 'Every week on {days} in {months}',
    other: 'Every {count} weeks on {days} in {months}',
  },
  MONTHLY: { one: 'Every month', other: 'Every {count} months' },
  'MONTHLY on': { one: 'Every month on {days}', other: 'Every {count} months on {days}' },
  'MONTHLY in': { one: 'Every month in {months}', other: 'Every {count} months in {months}' },
  'MONTHLY on in': {
    one: 'Every month on {days} in {months}',
    other: 'Every {count} months on {days} in {months}',
  },
  YEARLY: { one: 'Every year', other: 'Every {count} years' },
  'YEARLY on': { one: 'Every year on {days}', other: 'Every {count} years on {days}' },
  'YEARLY in': { one: 'Every year in {months}', other: 'Every {count} years in {months}' },
  'YEARLY on in': {
    one: 'Every year on {days} in {months}',
    other: 'Every {count} years on {days} in {months}',
  },
} satisfies Record<string, Forms>

export const periods = {
  DAILY: ['day', 'days'],
  WEEKLY: ['week', 'weeks'],
  MONTHLY: ['month', 'months'],
  YEARLY: ['year', 'years'],
} as const

const afterCompletion = '{rule} after completion'
const untilDay = '{rule}, until {day}'
const moreTimes: Forms = { one: '{rule}, {count} more time', other: '{rule}, {count} more times' }

const date: Forms = {
  one: 'the {count}st',
  two: 'the {count}nd',
  few: 'the {count}rd',
  other: 'the {count}th',
}
const dateFromEnd: Forms = {
  one: 'the {count}st to last day',
  two: 'the {count}nd to last day',
  few: 'the {count}rd to last day',
  other: 'the {count}th to last day',
}
const lastDay = 'the last day'
const datesOnWeekdays = '{dates} if it is {weekdays}'
const namedWeekdays: Record<number, string> = {
  1: 'the first {weekday}',
  2: 'the second {weekday}',
  3: 'the third {weekday}',
  4: 'the fourth {weekday}',
  5: 'the fifth {weekday}',
  [-1]: 'the last {weekday}',
}
const weekday: Forms = {
  one: 'the {count}st {weekday}',
  two: 'the {count}nd {weekday}',
  few: 'the {count}rd {weekday}',
  other: 'the {count}th {weekday}',
}
const weekdayFromEnd: Forms = {
  one: 'the {count}st to last {weekday}',
  two: 'the {count}nd to last {weekday}',
  few: 'the {count}rd to last {weekday}',
  other: 'the {count}th to last {weekday}',
}
const positions = {
  1: { of: 'the first of {days}', weekday: 'the first weekday' },
  [-1]: { of: 'the last of {days}', weekday: 'the last weekday' },
}

/** A rule in words: "Every 2 weeks on Mon and Thu, until Sun 20 Dec". The rule itself if this version cannot read it. */
export function ruleText(repeat: string, from: 'due' | 'done', place: DayContext): string {
  const rule = parseRule(repeat)
  if (!rule) return repeat
  const { until, count } = rule
  const plain = everyText(rule, place)
  const text = from === 'done' ? filled(afterCompletion, { rule: plain }) : plain
  if (until !== undefined)
    return filled(untilDay, { rule: text, day: formatDay(until, place.today, place.locale) })
  return count === undefined ? text : counted(moreTimes, count, 'cardinal', { rule: text })
}

function everyText(rule: RepeatRule, place: DayContext): string {
  const { freq, interval } = rule
  const days = daysText(rule, place)
  const months = joinedTexts(
    rule.byMonth.map((month) => formatCivil(`2001-${pad(month)}-01`, place.locale, { month: 'long' })),
  )
  const shape = `${freq}${days && ' on'}${months && ' in'}` as keyof typeof sentences
  return counted(sentences[isWeekdays(rule) ? 'weekdays' : shape], interval, 'cardinal', { days, months })
}

const namesWeekdays = ({ byDay }: RepeatRule) =>
  byDay
    .map(({ weekday, ordinal }) => (ordinal === undefined ? weekday : -1))
    .sort()
    .join() === '0,1,2,3,4'

/** Whether “weekday” says the days of a rule. “Every 2 days if it is Mon, …, or Fri” is another rule. */
const isWeekdays = (rule: RepeatRule) =>
  (rule.freq === 'WEEKLY' || (rule.freq === 'DAILY' && rule.interval === 1)) &&
  rule.byMonth.length + rule.byMonthDay.length === 0 &&
  rule.bySetPos === undefined &&
  namesWeekdays(rule)

function daysText(rule: RepeatRule, place: DayContext): string {
  const { byDay, byMonthDay, bySetPos } = rule
  const last = dateOrLastOf(rule)
  if (last !== undefined) return dateText(last)
  const dates = byMonthDay.map(dateText)
  const days = byDay.map((day) => weekdayText(day, place))
  // Beside dates, weekdays restrict them.
  const all =
    dates.length > 0 && days.length > 0
      ? [
          filled(datesOnWeekdays, {
            dates: joinedTexts(dates, 'disjunction'),
            weekdays: joinedTexts(days, 'disjunction'),
          }),
        ]
      : [...dates, ...days]
  if (all.length === 0) return ''
  if (bySetPos === undefined) return joinedTexts(all, rule.freq === 'DAILY' ? 'disjunction' : 'conjunction')
  const position = positions[bySetPos]
  if (byMonthDay.length === 0 && namesWeekdays(rule)) return position.weekday
  return filled(position.of, { days: joinedTexts(all) })
}

const dateText = (number: number) =>
  number === -1 ? lastDay : counted(number < 0 ? dateFromEnd : date, Math.abs(number), 'ordinal', {})

/** The first of January 2001 was a Monday. */
export const weekdayName = (weekday: number, locale: string, width: 'short' | 'long') =>
  formatCivil(`2001-01-0${1 + weekday}`, locale, { weekday: width })

function weekdayText({ weekday: which, ordinal: number }: WeekdayOf, place: DayContext): string {
  const name = weekdayName(which, place.locale, number === undefined ? 'short' : 'long')
  if (number === undefined) return name
  const named = namedWeekdays[number]
  if (named !== undefined) return filled(named, { weekday: name })
  return counted(number < 0 ? weekdayFromEnd : weekday, Math.abs(number), 'ordinal', { weekday: name })
}

function counted(
  forms: Forms,
  count: number,
  type: Intl.PluralRulesOptions['type'],
  parameters: Record<string, string>,
): string {
  const category = new Intl.PluralRules(language, { type }).select(count)
  return filled(forms[category as keyof Forms] ?? forms.other, { ...parameters, count: `${count}` })
}

const filled = (pattern: string, parameters: Record<string, string>) =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '')

export const joinedTexts = (texts: string[], type: Intl.ListFormatOptions['type'] = 'conjunction') =>
  new Intl.ListFormat(language, { type }).format(texts)

const pad = (number: number) => String(number).padStart(2, '0')
