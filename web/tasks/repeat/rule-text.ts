import { dateOrLastOf, parseRule, type RepeatRule, type WeekdayOf } from '#contract/repeat-rules.ts'
import { type DayContext, formatCivil, formatDay } from '../../ui/civil-day.ts'

/** For one and for several, beside the field of the number. */
export const periods = {
  DAILY: ['day', 'days'],
  WEEKLY: ['week', 'weeks'],
  MONTHLY: ['month', 'months'],
  YEARLY: ['year', 'years'],
} as const

/** A rule in words: "Every 2 weeks on Mon and Thu, until Sun 20 Dec". The rule itself if this version cannot read it. */
export function ruleText(repeat: string, from: 'due' | 'done', place: DayContext): string {
  const rule = parseRule(repeat)
  if (!rule) return repeat
  const { until, count } = rule
  const text = everyText(rule, place) + (from === 'done' ? ' after completion' : '')
  if (until !== undefined) return `${text}, until ${formatDay(until, place.today, place.locale)}`
  return count === undefined ? text : `${text}, ${count} more ${count === 1 ? 'time' : 'times'}`
}

function everyText(rule: RepeatRule, place: DayContext): string {
  const { freq, interval } = rule
  const [one, several] = periods[freq]
  if (isWeekdays(rule)) return interval === 1 ? 'Every weekday' : `Every ${interval} ${several} on weekdays`
  const every = interval === 1 ? `Every ${one}` : `Every ${interval} ${several}`
  const days = daysText(rule, place)
  const months = joinedTexts(
    rule.byMonth.map((month) =>
      formatCivil(`2001-${`${month}`.padStart(2, '0')}-01`, place.locale, { month: 'long' }),
    ),
  )
  const within = months && ` in ${months}`
  if (freq === 'DAILY') return every + within + (days && ` if it is ${days}`)
  return every + (days && ` on ${days}`) + within
}

const namesWeekdays = ({ byDay }: RepeatRule) =>
  byDay
    .map(({ weekday, ordinal }) => (ordinal === undefined ? weekday : -1))
    .sort()
    .join() === '0,1,2,3,4'

/** A rule for every second day that is a weekday is not said by this word. */
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
  const either = (texts: string[]) => joinedTexts(texts, 'disjunction')
  // Beside dates, weekdays restrict them.
  const isRestricted = dates.length > 0 && days.length > 0
  const all = isRestricted ? [`${either(dates)} if it is ${either(days)}`] : [...dates, ...days]
  if (all.length === 0) return ''
  if (bySetPos === undefined) return rule.freq === 'DAILY' ? either(all) : joinedTexts(all)
  const position = `the ${bySetPos === 1 ? 'first' : 'last'}`
  if (byMonthDay.length === 0 && namesWeekdays(rule)) return `${position} weekday`
  return `${position} of ${joinedTexts(all)}`
}

function dateText(number: number): string {
  if (number === -1) return 'the last day'
  return number < 0 ? `the ${ordinal(-number)} to last day` : `the ${ordinal(number)}`
}

/** The first of January 2001 was a Monday. */
export const weekdayName = (weekday: number, locale: string, width: 'short' | 'long') =>
  formatCivil(`2001-01-0${1 + weekday}`, locale, { weekday: width })

function weekdayText({ weekday: which, ordinal: number }: WeekdayOf, place: DayContext): string {
  const name = weekdayName(which, place.locale, number === undefined ? 'short' : 'long')
  if (number === undefined) return name
  if (number === -1) return `the last ${name}`
  if (number < 0) return `the ${ordinal(-number)} to last ${name}`
  return `the ${firstOrdinals[number] ?? ordinal(number)} ${name}`
}

const firstOrdinals = ['', 'first', 'second', 'third', 'fourth', 'fifth']

const suffixes: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

/** As in `22nd`. */
const ordinal = (number: number) =>
  `${number}${suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`

export const joinedTexts = (texts: string[], type: Intl.ListFormatOptions['type'] = 'conjunction') =>
  new Intl.ListFormat('en', { type }).format(texts)
