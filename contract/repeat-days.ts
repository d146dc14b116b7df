/**
 * The days of a rule form a grid through `start`, which is one of them. The intervals count from it, and it has the
 * weekday, the day of the month and the month that the rule does not name.
 */
import { dueDates, repeatLimits } from './limits.ts'
import type { RepeatRule } from './repeat-rules.ts'

const dayLength = 86_400_000
const numberOf = (day: string) => Date.parse(day) / dayLength
const dayOf = (number: number) => new Date(number * dayLength).toISOString().slice(0, 10)
const firstNumber = numberOf(dueDates.min)
const lastNumber = numberOf(dueDates.max)

/** The position of a day in its week that begins on Monday. 1 January 1970 was a Thursday. */
const weekdayOf = (number: number) => (((number + 3) % 7) + 7) % 7

const monthOf = (number: number) => {
  const date = new Date(number * dayLength)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
const firstOfMonth = (month: number) => Date.UTC(Math.floor(month / 12), month % 12, 1) / dayLength
const dateOf = (number: number) => number - firstOfMonth(monthOf(number)) + 1

/** Returns the first day of the grid of a rule that begins on or after `day`, or undefined if there is none. */
export function firstDay(rule: RepeatRule, day: string): string | undefined {
  // The interval counts from the first day, so it does not decide which day is the first.
  return findDay({ ...rule, interval: 1 }, day, numberOf(day))
}

/** Returns the first day of the grid after `after`, or undefined if there is none. COUNT ends nothing here. */
export const nextDay = (rule: RepeatRule, start: string, after: string): string | undefined =>
  findDay(rule, start, numberOf(after) + 1)

export const isOnGrid = (rule: RepeatRule, start: string, day: string): boolean =>
  findDay(rule, start, numberOf(day)) === day

/**
 * The number of days of the grid after `one`, up to `other`. It is infinite if that takes too many steps, which COUNT allows only for
 * rules that need many steps for a day.
 */
export function daysBetween(rule: RepeatRule, start: string, one: string, other: string): number {
  const [from, to] = [numberOf(one), numberOf(other)]
  let [count, step] = [0, 0]
  for (
    let period = alignedPeriod(rule, start, from);
    firstOfPeriod(rule, period) <= to;
    period += rule.interval
  ) {
    if (step++ > repeatLimits.countedSteps) return Number.POSITIVE_INFINITY
    for (const number of daysOf(rule, start, period)) if (number > from && number <= to) count++
  }
  return count
}

/** Whether a rule that begins on `start` takes too many steps from some occurrence to the next. */
export function isTooSparse(rule: RepeatRule, start: string): boolean {
  const { period } = search(rule, start, numberOf(start) + 1)
  return period === undefined
}

function findDay(rule: RepeatRule, start: string, from: number): string | undefined {
  const { number } = search(rule, start, from)
  return number === undefined ? undefined : dayOf(number)
}

/**
 * Finds the first day of the grid from `from` on. `period` is the last one that was examined, or undefined if there would have been
 * more of them than allowed.
 */
function search(rule: RepeatRule, start: string, from: number): { number?: number; period?: number } {
  const last = rule.until === undefined ? lastNumber : numberOf(rule.until)
  let period = alignedPeriod(rule, start, from)
  for (let step = 0; step <= repeatLimits.steps; step++, period += rule.interval) {
    if (firstOfPeriod(rule, period) > last) return { period }
    const number = daysOf(rule, start, period).find((each) => each >= from)
    if (number !== undefined) return number > last || number < firstNumber ? { period } : { number, period }
  }
  return {}
}

/** The last period of the grid that begins on or before the day. */
function alignedPeriod(rule: RepeatRule, start: string, number: number) {
  const first = periodOf(rule, numberOf(start))
  const distance = periodOf(rule, number) - first
  return first + Math.floor(distance / rule.interval) * rule.interval
}

/** The number of the day, week, month or year that contains a day. */
function periodOf({ freq, weekStart }: RepeatRule, number: number) {
  if (freq === 'DAILY') return number
  if (freq === 'WEEKLY') return Math.floor((number + 3 - weekStart) / 7)
  return freq === 'MONTHLY' ? monthOf(number) : Math.floor(monthOf(number) / 12)
}

function firstOfPeriod({ freq, weekStart }: RepeatRule, period: number) {
  if (freq === 'DAILY') return period
  if (freq === 'WEEKLY') return period * 7 - 3 + weekStart
  return firstOfMonth(freq === 'MONTHLY' ? period : period * 12)
}

function daysOf(rule: RepeatRule, start: string, period: number): number[] {
  const { byDay, bySetPos, freq } = rule
  const [first, end] = [firstOfPeriod(rule, period), firstOfPeriod(rule, period + 1)]
  // The parts that a rule lacks are those of its first day.
  const isDated = rule.byMonthDay.length + byDay.length > 0
  const [startNumber, isLong] = [numberOf(start), freq === 'MONTHLY' || freq === 'YEARLY']
  const isPlainYear = freq === 'YEARLY' && !isDated && rule.byMonth.length === 0
  const months = isPlainYear ? [(monthOf(startNumber) % 12) + 1] : rule.byMonth
  const dates = isLong && !isDated ? [dateOf(startNumber)] : rule.byMonthDay
  const named = freq === 'WEEKLY' && byDay.length === 0 ? [{ weekday: weekdayOf(startNumber) }] : byDay
  const days: number[] = []
  // Weekdays are counted in months, but in the years of a rule without months and dates.
  const isByMonth = isLong && (freq === 'MONTHLY' || months.length + dates.length > 0)
  const isMonth = (month: number) => months.length === 0 || months.includes((month % 12) + 1)
  for (let month = monthOf(first); firstOfMonth(month) < end; month++) {
    if (!isMonth(month)) continue
    const [from, to] = [firstOfMonth(month), firstOfMonth(month + 1)]
    const counted = isByMonth ? { from, to } : { from: first, to: end }
    for (let number = Math.max(from, first); number < Math.min(to, end); number++)
      if (isDateIn(dates, number, from, to) && isNamed(named, number, counted.from, counted.to))
        days.push(number)
  }
  if (bySetPos === undefined || days.length === 0) return days
  return [days.at(bySetPos === 1 ? 0 : -1) as number]
}

/** Whether a list of BYMONTHDAY allows a day of the month that begins with `from` and ends before `to`. */
const isDateIn = (dates: number[], number: number, from: number, to: number) =>
  dates.length === 0 || dates.includes(number - from + 1) || dates.includes(number - to)

/** Whether a list of BYDAY allows a day, with the numbers counted from `from` and back from `to`. */
function isNamed(named: RepeatRule['byDay'], number: number, from: number, to: number): boolean {
  if (named.length === 0) return true
  const weekday = weekdayOf(number)
  return named.some(({ weekday: day, ordinal }) => {
    if (day !== weekday) return false
    if (ordinal === undefined) return true
    return (
      ordinal === (ordinal > 0 ? Math.floor((number - from) / 7) + 1 : -Math.floor((to - 1 - number) / 7) - 1)
    )
  })
}
