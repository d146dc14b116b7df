import { daysAfter } from '../days.ts'
import type { Unit } from './language.ts'

/** The weekday of a day: 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7

/** The first day from `from` on that is this weekday. */
export const nextWeekday = (from: string, weekday: number): string =>
  daysAfter(from, (weekday - weekdayOf(from) + 7) % 7)

/** The weekday of the calendar week of a day. */
export const weekdayInWeek = (day: string, weekday: number): string =>
  daysAfter(day, weekday - weekdayOf(day))

/** The same day of a later month, or the last day of that month if it has fewer days. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)))
}

export function unitsAfter(day: string, count: number, unit: Unit): string {
  if (unit === 'day' || unit === 'week') return daysAfter(day, unit === 'day' ? count : 7 * count)
  return monthsAfter(day, unit === 'month' ? count : 12 * count)
}

/** `YYYY-MM-DD`, if the calendar has this day. */
export function dayOfDate(year: number, month: number, date: number): string | undefined {
  const day = isoDay(Date.UTC(year, month - 1, date))
  if (Number(day.slice(5, 7)) === month && Number(day.slice(8)) === date) return day
}

/** The last weekday of this name in the month of a day, or with `nth` from 1 on that one. */
export function nthWeekday(day: string, weekday: number, nth: number): string | undefined {
  const first = `${day.slice(0, 8)}01`
  if (nth === 0) return daysAfter(nextWeekday(monthsAfter(first, 1), weekday), -7)
  const found = daysAfter(nextWeekday(first, weekday), 7 * (nth - 1))
  return found.slice(0, 7) === day.slice(0, 7) ? found : undefined
}

/** Far beyond the limits of due dates, a year has more than four digits, and no day is returned. */
const isoDay = (time: number): string =>
  Math.abs(time) < Date.UTC(10_000) ? new Date(time).toISOString().slice(0, 10) : ''
