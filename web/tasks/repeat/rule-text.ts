import { parseRule, type RepeatRule, type WeekdayOf } from '#contract/repeat-rules.ts'
import { type DayContext, formatCivil, formatDay } from '../../ui/civil-day.ts'

/** What a number of periods is called: of one, and of several. */
export const periods = {
  DAILY: ['day', 'days'],
  WEEKLY: ['week', 'weeks'],
  MONTHLY: ['month', 'months'],
  YEARLY: ['year', 'years'],
} as const

const namedOrdinals: Record<number, string> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  [-1]: 'last',
}

/** A rule in words: "Every 2 weeks on Mon and Thu, until Sun 20 Dec". The rule itself if this version cannot read it. */
export function ruleText(repeat: string, from: 'due' | 'done', place: DayContext): string {
  const rule = parseRule(repeat)
  if (!rule) return repeat
  const { until, count } = rule
  const plain = everyText(rule, place)
  const text = from === 'done' ? `${plain} after completion` : plain
  if (until !== undefined) return `${text}, until ${formatDay(until, place.today, place.locale)}`
  return count === undefined ? text : `${text}, ${count} more ${count === 1 ? 'time' : 'times'}`
}

function everyText(rule: RepeatRule, place: DayContext): string {
  const { freq, interval } = rule
  const [one, several] = periods[freq]
  if (isWeekdays(rule)) return interval === 1 ? 'Every weekday' : `Every ${interval} weeks on weekdays`
  const every = interval === 1 ? `Every ${one}` : `Every ${interval} ${several}`
  const months = listOf(
    rule.byMonth
      .map((month) => `2001-${String(month).padStart(2, '0')}-01`)
      .map((day) => formatCivil(day, place.locale, { month: 'long' })),
  )
  const days = daysText(rule, place)
  const within = months && ` in ${months}`
  // Each day is a period of its own, which the days of a daily rule restrict.
  if (freq === 'DAILY') return `${every}${within}${days && ` if it is ${days}`}`
  return `${every}${days && ` on ${days}`}${within}`
}

/** Whether a rule names Monday to Friday, in any order. */
const namesWeekdays = ({ byDay }: RepeatRule) =>
  byDay
    .map(({ weekday, ordinal }) => (ordinal === undefined ? weekday : -1))
    .sort()
    .join() === '0,1,2,3,4'

/** Whether a rule is said by the word for Monday to Friday. Every two days that are one of them are no such rule. */
const isWeekdays = (rule: RepeatRule) =>
  (rule.freq === 'WEEKLY' || (rule.freq === 'DAILY' && rule.interval === 1)) &&
  rule.byMonth.length + rule.byMonthDay.length === 0 &&
  rule.bySetPos === undefined &&
  namesWeekdays(rule)

/** The days within a period; empty if the rule names none. */
function daysText(rule: RepeatRule, place: DayContext): string {
  const { byDay, byMonthDay, bySetPos } = rule
  const last = lastDateOf(byMonthDay, bySetPos)
  if (last !== undefined) return dateText(last)
  const dates = byMonthDay.map(dateText)
  const days = byDay.map((day) => weekdayText(day, place))
  // Beside dates, weekdays restrict them.
  const all =
    dates.length > 0 && days.length > 0
      ? [`${listOf(dates, 'disjunction')} if it is ${listOf(days, 'disjunction')}`]
      : [...dates, ...days]
  if (all.length === 0) return ''
  if (bySetPos === undefined) return listOf(all, rule.freq === 'DAILY' ? 'disjunction' : 'conjunction')
  const position = `the ${namedOrdinals[bySetPos]}`
  if (byMonthDay.length === 0 && namesWeekdays(rule)) return `${position} weekday`
  return `${position} of ${listOf(all)}`
}

/** The date that months without it have on their last day: `BYMONTHDAY=28,29,30,31;BYSETPOS=-1` is the 31st. */
function lastDateOf(dates: number[], position: number | undefined): number | undefined {
  const isRun = dates.length > 1 && dates.every((date, index) => date === 28 + index)
  return isRun && position === -1 ? dates.at(-1) : undefined
}

const dateText = (number: number): string => {
  if (number === -1) return 'the last day'
  return number < 0 ? `the ${ordinalText(-number)} to last day` : `the ${ordinalText(number)}`
}

function weekdayText({ weekday, ordinal }: WeekdayOf, place: DayContext): string {
  const name = weekdayName(weekday, place.locale, ordinal === undefined ? 'short' : 'long')
  if (ordinal === undefined) return name
  const nth = ordinal < 0 ? `${ordinalText(-ordinal)} to last` : ordinalText(ordinal)
  return `the ${namedOrdinals[ordinal] ?? nth} ${name}`
}

/** The first of January 2001 was a Monday. */
export const weekdayName = (weekday: number, locale: string, width: 'short' | 'long') =>
  formatCivil(`2001-01-0${1 + weekday}`, locale, { weekday: width })

/** As in `1st` and `22nd`. */
const ordinalText = (number: number) => `${number}${endings.get(ordinals.select(number)) ?? 'th'}`

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings = new Map([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
])

export const listOf = (texts: string[], type: Intl.ListFormatOptions['type'] = 'conjunction') =>
  new Intl.ListFormat('en', { type }).format(texts)
