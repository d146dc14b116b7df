import { daysAfter } from '#contract/days.ts'
import { dueDates } from '#contract/limits.ts'
import { monthsAfter as sameDateAfter } from '#contract/words/calendar-days.ts'

/** A month is named by its first day. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/** The six weeks around the month of `first`, of which the first one contains that day. `weekStart`: 0 is Sunday. */
export function weeksAround(first: string, weekStart: number): string[][] {
  const start = daysAfter(first, -daysIntoWeek(first, weekStart))
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => daysAfter(start, week * 7 + weekday)),
  )
}

/** The same day `months` later. If that month is shorter, its last day. Always within the days on which a task can be due. */
export const monthsAfter = (day: string, months: number): string => withinDueDates(sameDateAfter(day, months))

/** The day to which a key moves from `day` in a grid of days (ARIA APG, Date Picker Dialog), if it is such a key. */
export function dayAtKey(key: string, shiftKey: boolean, day: string, weekStart: number): string | undefined {
  const intoWeek = daysIntoWeek(day, weekStart)
  const months = shiftKey ? 12 : 1
  const moves: Record<string, () => string> = {
    ArrowLeft: () => daysAfter(day, -1),
    ArrowRight: () => daysAfter(day, 1),
    ArrowUp: () => daysAfter(day, -7),
    ArrowDown: () => daysAfter(day, 7),
    Home: () => daysAfter(day, -intoWeek),
    End: () => daysAfter(day, 6 - intoWeek),
    PageUp: () => monthsAfter(day, -months),
    PageDown: () => monthsAfter(day, months),
  }
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined
  return move && withinDueDates(move())
}

const daysIntoWeek = (day: string, weekStart: number) =>
  (new Date(`${day}T00:00Z`).getUTCDay() - weekStart + 7) % 7

function withinDueDates(day: string): string {
  if (day < dueDates.min) return dueDates.min
  return day > dueDates.max ? dueDates.max : day
}
