import { daysAfter } from '../../ui/civil-day.ts'
import type { Unit } from './language.ts'

/** The weekday of a day: 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7

/** The first day from `from` on that is this weekday. */
export const nextWeekday = (from: string, weekday: number): string =>
  daysAfter(from, (weekday - weekdayOf(from) + 7) % 7)

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

type CalendarDate = { year: number | undefined; month: number; date: number }

/** `YYYY-MM-DD`, if the calendar has this day. Without a year it is the next one from today on. */
export function nextDate(today: string, { year, month, date }: CalendarDate): string | undefined {
  const first = year ?? Number(today.slice(0, 4))
  // The 29th of February comes at least every eighth year.
  for (let of = first; of <= (year ?? first + 8); of++) {
    const day = isoDay(Date.UTC(of, month - 1, date))
    const isInCalendar = Number(day.slice(5, 7)) === month && Number(day.slice(8)) === date
    if (isInCalendar && (year !== undefined || day >= today)) return day
  }
}

/** Far beyond the limits of due dates, a year has more than four digits, and no day is returned. */
const isoDay = (time: number): string =>
  Math.abs(time) < Date.UTC(10_000) ? new Date(time).toISOString().slice(0, 10) : ''
