import { isDay } from './fields.ts'
import { dueDates, repeatLimits } from './limits.ts'

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

/** From Monday, as in ISO 8601. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** A day of the week by its position in `weekdays`. `ordinal`: which one of its month or year, from its end if negative. */
export type WeekdayOf = { weekday: number; ordinal?: number }

/** A recurrence rule of RFC 5545 without DTSTART and rare parts. A list without entries restricts nothing. */
export type RepeatRule = {
  freq: (typeof frequencies)[number]
  interval: number
  byMonth: number[]
  byMonthDay: number[]
  byDay: WeekdayOf[]
  /** Only the first or the last day of each period. */
  bySetPos?: 1 | -1
  /** How many occurrences are left, this one included. */
  count?: number
  until?: string
  weekStart: number
}

/** The last date that every month has. */
const lastFixedDate = 28

/** The dates from the 28th to this one. With `BYSETPOS=-1`, a rule means this date, or the last day of a month that is shorter. */
export const datesTo = (date: number): number[] =>
  Array.from({ length: date - lastFixedDate + 1 }, (_, index) => lastFixedDate + index)

/** The parts of a rule for this date, or the last day of a month that is shorter: `BYMONTHDAY=28,29,30,31;BYSETPOS=-1` for the 31st. */
export const onDateOrLast = (date: number): string =>
  date <= lastFixedDate ? `BYMONTHDAY=${date}` : `BYMONTHDAY=${datesTo(date)};BYSETPOS=-1`

/** The date of a rule with the parts of `onDateOrLast` for one that some months lack. */
export function dateOrLastOf({ byMonthDay, bySetPos }: RepeatRule): number | undefined {
  const date = Math.max(...byMonthDay)
  const isRun = byMonthDay.length > 1 && datesTo(date).every((each) => byMonthDay.includes(each))
  return isRun && datesTo(date).length === byMonthDay.length && bySetPos === -1 ? date : undefined
}

/** What a rule may contain, for the message of a rule that is rejected. */
export const allowedInRules =
  `FREQ=DAILY, WEEKLY, MONTHLY or YEARLY; INTERVAL from 1 to ${repeatLimits.interval}; BYMONTH from 1 to 12; ` +
  'BYMONTHDAY from 1 to 31 or from -31 to -1, except with WEEKLY; BYDAY from MO to SU, with MONTHLY and YEARLY also with a number ' +
  'such as 2TU or -1FR, but not beside BYMONTHDAY; BYSETPOS=1 or -1 beside another BY part; ' +
  `either COUNT from 1 to ${repeatLimits.count} or UNTIL as a day such as 20261231; WKST from MO to SU`

const weekdayPattern = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/

/** Returns the rule that a text such as `FREQ=WEEKLY;BYDAY=MO,TH` describes, or undefined if it contains anything else. */
export function parseRule(text: string): RepeatRule | undefined {
  if (text.length > repeatLimits.length) return undefined
  const parts = new Map<string, string>()
  for (const part of text.split(';')) {
    const [name = '', value, ...more] = part.split('=')
    if (!value || more.length > 0 || parts.has(name)) return undefined
    parts.set(name, value)
  }
  const take = (name: string) => {
    const value = parts.get(name)
    parts.delete(name)
    return value
  }
  const freq = frequencies.find((each) => each === parts.get('FREQ'))
  parts.delete('FREQ')
  const interval = integersIn(take('INTERVAL') ?? '1', 1, repeatLimits.interval)
  const byMonth = integersIn(take('BYMONTH'), 1, 12)
  const byMonthDay = integersIn(take('BYMONTHDAY'), -31, 31)
  const byDay = weekdaysIn(take('BYDAY'))
  const bySetPos = integersIn(take('BYSETPOS'), -1, 1)
  const count = integersIn(take('COUNT'), 1, repeatLimits.count)
  const until = dayIn(take('UNTIL'))
  const weekStart = weekdayIn(take('WKST') ?? 'MO')
  if (parts.size > 0 || !freq || interval?.length !== 1 || weekStart?.ordinal !== undefined) return undefined
  if (!byMonth || !byMonthDay || !byDay || !weekStart || until === undefined) return undefined
  if (!bySetPos || bySetPos.length > 1 || !count || count.length > 1) return undefined
  const rule = {
    freq,
    interval: interval[0] as number,
    byMonth,
    byMonthDay,
    byDay,
    ...(bySetPos.length > 0 && { bySetPos: bySetPos[0] as 1 | -1 }),
    ...(count.length > 0 && { count: count[0] as number }),
    ...(until !== null && { until }),
    weekStart: weekStart.weekday,
  }
  return isAllowed(rule) ? rule : undefined
}

function isAllowed({ freq, byMonth, byMonthDay, byDay, bySetPos, count, until }: RepeatRule) {
  const ordinals = byDay.flatMap(({ ordinal }) => ordinal ?? [])
  if (ordinals.length > 0 && (freq === 'DAILY' || freq === 'WEEKLY' || byMonthDay.length > 0)) return false
  if (freq === 'WEEKLY' && byMonthDay.length > 0) return false
  if (bySetPos !== undefined && byMonth.length + byMonthDay.length + byDay.length === 0) return false
  return count === undefined || until === undefined
}

/** The integers of a list, none of them 0; none without a list. Undefined if the list has anything else, or one twice. */
function integersIn(list: string | undefined, min: number, max: number): number[] | undefined {
  if (list === undefined) return []
  const values = list.split(',').map((each) => (/^[+-]?\d{1,4}$/.test(each) ? Number(each) : 0))
  const isValid = values.every((value) => value !== 0 && value >= min && value <= max)
  return isValid && new Set(values).size === values.length ? values : undefined
}

function weekdaysIn(list: string | undefined): WeekdayOf[] | undefined {
  if (list === undefined) return []
  const found = list.split(',').flatMap((each) => weekdayIn(each) ?? [])
  const isValid =
    found.length === list.split(',').length && new Set(found.map(formatWeekday)).size === found.length
  return isValid ? found : undefined
}

function weekdayIn(text: string): WeekdayOf | undefined {
  const [, number, name] = weekdayPattern.exec(text) ?? []
  const weekday = weekdays.indexOf(name as (typeof weekdays)[number])
  if (weekday < 0) return undefined
  const ordinal = Number(number)
  if (number === undefined) return { weekday }
  return ordinal !== 0 && Math.abs(ordinal) <= 53 ? { weekday, ordinal } : undefined
}

/** The day of `UNTIL`, null without one, or undefined if it is no day that a task can have. */
function dayIn(text: string | undefined): string | null | undefined {
  if (text === undefined) return null
  const [, year, month, date] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  const day = `${year}-${month}-${date}`
  return isDay(day) && day >= dueDates.min && day <= dueDates.max ? day : undefined
}

/** The text of a rule, its parts always in the same order and without those that have their default. */
export function formatRule(rule: RepeatRule): string {
  const { freq, interval, byMonth, byMonthDay, byDay, bySetPos, count, until, weekStart } = rule
  const parts = [
    `FREQ=${freq}`,
    interval !== 1 && `INTERVAL=${interval}`,
    byMonth.length > 0 && `BYMONTH=${byMonth}`,
    byMonthDay.length > 0 && `BYMONTHDAY=${byMonthDay}`,
    byDay.length > 0 && `BYDAY=${byDay.map(formatWeekday)}`,
    bySetPos !== undefined && `BYSETPOS=${bySetPos}`,
    count !== undefined && `COUNT=${count}`,
    until !== undefined && `UNTIL=${until.replaceAll('-', '')}`,
    weekStart !== 0 && `WKST=${weekdays[weekStart]}`,
  ]
  return parts.filter(Boolean).join(';')
}

const formatWeekday = ({ weekday, ordinal }: WeekdayOf) => `${ordinal ?? ''}${weekdays[weekday]}`
