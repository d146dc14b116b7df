import { parseRule, type RepeatRule, type WeekdayOf } from '#contract/repeat-rules.ts'
import { format, formatDay } from '../../ui/civil-day.ts'

/** Where the words and forms are those of the reader's language: days, months and lists. */
type Place = { today: string; locale: string }

/** A rule in words: "Every 2 weeks on Mon and Thu, until Sun 20 Dec". The rule itself if this version cannot read it. */
export function ruleText(repeat: string, from: 'due' | 'done', place: Place): string {
  const rule = parseRule(repeat)
  if (!rule) return repeat
  const ends =
    rule.until !== undefined
      ? `, until ${formatDay(rule.until, place.today, place.locale)}`
      : rule.count !== undefined
        ? `, ${rule.count} more ${rule.count === 1 ? 'time' : 'times'}`
        : ''
  return `${everyText(rule, place)}${from === 'done' ? ' after completion' : ''}${ends}`
}

const units = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const

function everyText(rule: RepeatRule, place: Place): string {
  const { freq, interval } = rule
  if (interval === 1 && isWeekdays(rule)) return 'Every weekday'
  const every = interval === 1 ? `Every ${units[freq]}` : `Every ${interval} ${units[freq]}s`
  const months = rule.byMonth.map((month) => nameOf(`2001-${pad(month)}-01`, place, { month: 'long' }))
  const inMonths = months.length > 0 ? ` in ${listOf(months)}` : ''
  const on = daysText(rule, place)
  return `${every}${on && ` on ${on}`}${inMonths}`
}

/** Whether a rule names Monday to Friday, in any order. */
const namesWeekdays = ({ byDay }: RepeatRule) =>
  byDay
    .map(({ weekday, ordinal }) => (ordinal === undefined ? weekday : -1))
    .sort()
    .join() === '0,1,2,3,4'

const isWeekdays = (rule: RepeatRule) =>
  (rule.freq === 'WEEKLY' || rule.freq === 'DAILY') &&
  rule.byMonth.length === 0 &&
  rule.bySetPos === undefined &&
  namesWeekdays(rule)

/** The days within a period; empty if the rule names none. */
function daysText(rule: RepeatRule, place: Place): string {
  const { byDay, byMonthDay, bySetPos } = rule
  const last = lastDateOf(byMonthDay, bySetPos)
  if (last !== undefined) return `the ${ordinal(last)}`
  const dates = byMonthDay.map((date) => (date < 0 ? fromEnd(-date, 'day') : `the ${ordinal(date)}`))
  const days = byDay.map((day) => weekdayText(day, place))
  const all = [...dates, ...days]
  if (all.length === 0) return ''
  if (bySetPos === undefined) return listOf(all)
  const which = bySetPos === 1 ? 'first' : 'last'
  if (byMonthDay.length === 0 && namesWeekdays(rule)) return `the ${which} weekday`
  return `the ${which} of ${listOf(all)}`
}

/** The date that months without it have on their last day: `BYMONTHDAY=28,29,30,31;BYSETPOS=-1` is the 31st. */
function lastDateOf(dates: number[], position: number | undefined): number | undefined {
  const isRun = dates.length > 1 && dates.every((date, index) => date === 28 + index)
  return isRun && position === -1 ? dates.at(-1) : undefined
}

function weekdayText({ weekday, ordinal: number }: WeekdayOf, place: Place): string {
  // The first of January 2001 was a Monday.
  const name = nameOf(`2001-01-${pad(1 + weekday)}`, place, {
    weekday: number === undefined ? 'short' : 'long',
  })
  if (number === undefined) return name
  return number < 0 ? fromEnd(-number, name) : `the ${ordinals[number - 1] ?? ordinal(number)} ${name}`
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']

const fromEnd = (number: number, name: string) =>
  number === 1 ? `the last ${name}` : `the ${ordinals[number - 1] ?? ordinal(number)} to last ${name}`

const suffixes: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

const ordinal = (number: number) =>
  `${number}${suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`

const listOf = (texts: string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(texts)

const pad = (number: number) => String(number).padStart(2, '0')

const nameOf = (day: string, { locale }: Place, options: Intl.DateTimeFormatOptions) =>
  format(`${day}T00:00Z`, locale, { ...options, timeZone: 'UTC' })
