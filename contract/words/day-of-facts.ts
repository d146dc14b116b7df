import { daysAfter } from '../days.ts'
import {
  dayOfDate,
  monthsAfter,
  nextWeekday,
  nthWeekday,
  unitsAfter,
  weekdayInWeek,
  weekdayOf,
} from './calendar-days.ts'
import { units } from './language.ts'

/** What words say of a day. One day is made of them by `dayOf`. */
export type DayFacts = {
  /** Days from today. */
  offset?: number
  /** 0 is Monday. */
  weekday?: number
  /** A weekday that is not today. */
  coming?: number
  /** Calendar weeks from this one. */
  week?: number
  /** Weeks that are added to another day. */
  weeksOn?: number
  count?: number
  unit?: number
  date?: number
  month?: number
  year?: number
  monthsOn?: number
  yearsOn?: number
  /** 0 is the last, 1 the first weekday of this name in a month. */
  nth?: number
  end?: number
  weekend?: number
  /** No day. */
  someday?: number
}

type Combination = (facts: Required<DayFacts>, today: string) => string | undefined

/** The facts that make one day, by their names in order. A year, or "next year", may come with every month. */
const combinations: Record<string, Combination> = {
  offset: ({ offset }, today) => daysAfter(today, offset),
  'offset weeksOn': ({ offset, weeksOn }, today) => daysAfter(today, offset + 7 * weeksOn),
  // "Morgen in einer Woche".
  'count offset unit': ({ count, offset, unit }, today) =>
    units[unit] === 'week' ? daysAfter(today, offset + 7 * count) : undefined,
  'count unit': ({ count, unit }, today) => unitsAfter(today, count, units[unit] ?? 'day'),
  date: ({ date }, today) =>
    // A month that lacks the day is never followed by another one that does.
    [0, 1, 2]
      .map((months) => monthsAfter(`${today.slice(0, 8)}01`, months))
      .map((month) => dayOfDate(Number(month.slice(0, 4)), Number(month.slice(5, 7)), date))
      .find((day) => day && day >= today),
  'date month': (facts, today) => inYears(facts, today, (year) => dayOfDate(year, facts.month, facts.date)),
  'date weekday': ({ date, weekday }, today) => {
    const months = [today, monthsAfter(`${today.slice(0, 8)}01`, 1)]
    return months
      .map((day) => dayOfDate(Number(day.slice(0, 4)), Number(day.slice(5, 7)), date))
      .find((day) => day && day >= today && weekdayOf(day) === weekday)
  },
  weekday: ({ weekday }, today) => nextWeekday(today, weekday),
  'coming weekday': ({ weekday }, today) => nextWeekday(daysAfter(today, 1), weekday),
  'week weekday': ({ week, weekday }, today) => weekdayInWeek(daysAfter(today, 7 * week), weekday),
  'weekday weeksOn': ({ weekday, weeksOn }, today) => daysAfter(nextWeekday(today, weekday), 7 * weeksOn),
  // "Friday in two weeks" is two weeks after the next Friday, or in that calendar week.
  'count unit weekday': ({ count, unit, weekday }, today) => {
    if (units[unit] !== 'week') return
    const day = daysAfter(nextWeekday(today, weekday), 7 * count)
    return day === weekdayInWeek(daysAfter(today, 7 * count), weekday) ? day : undefined
  },
  'month nth weekday': (facts, today) =>
    inYears(facts, today, (year) =>
      nthWeekday(dayOfDate(year, facts.month, 1) ?? today, facts.weekday, facts.nth),
    ),
  'monthsOn nth weekday': ({ monthsOn, nth, weekday }, today) =>
    nthWeekday(monthsAfter(`${today.slice(0, 8)}01`, monthsOn), weekday, nth),
  'end month': (facts, today) =>
    inYears(facts, today, (year) => lastDayOfMonth(dayOfDate(year, facts.month, 1) ?? today)),
  'end monthsOn': ({ monthsOn }, today) => lastDayOfMonth(monthsAfter(`${today.slice(0, 8)}01`, monthsOn)),
  // "In November" may be the current month, although a part of it is over.
  month: (facts, today) =>
    facts.year !== undefined || facts.yearsOn !== undefined || facts.month !== Number(today.slice(5, 7))
      ? inYears(facts, today, (year) => dayOfDate(year, facts.month, 1))
      : undefined,
  week: ({ week }, today) => (week > 0 ? daysAfter(today, 7 * week) : undefined),
  monthsOn: ({ monthsOn }, today) => (monthsOn > 0 ? monthsAfter(today, monthsOn) : undefined),
  yearsOn: ({ yearsOn }, today) => (yearsOn > 0 ? monthsAfter(today, 12 * yearsOn) : undefined),
  weekend: (_, today) => (weekdayOf(today) === 6 ? today : nextWeekday(today, 5)),
  'week weekend': ({ week }, today) => weekdayInWeek(daysAfter(today, 7 * week), 5),
}

/** The one day, from today on, that fits all facts. Facts that do not belong together have none. */
export function dayOf(facts: DayFacts, today: string): string | undefined {
  const names = Object.keys(facts).filter((name) => facts.month === undefined || !/^year/.test(name))
  const combine = combinations[names.sort().join(' ')]
  if (combine) return combine(facts as Required<DayFacts>, today)
  // A day that is stated twice is the same day: "tomorrow, 26 November", "Thursday, 26 November".
  const { offset, weekday, ...others } = facts
  if (offset !== undefined) {
    const day = dayOf(weekday === undefined ? others : { weekday, ...others }, today)
    return day === daysAfter(today, offset) ? day : undefined
  }
  const day = weekday !== undefined && others.month && others.date ? dayOf(others, today) : undefined
  return day && weekdayOf(day) === weekday ? day : undefined
}

/** The first of these days from today on: of the year that is stated, or of the next years. */
function inYears(
  { year, yearsOn }: DayFacts,
  today: string,
  dayIn: (year: number) => string | undefined,
): string | undefined {
  if (year !== undefined && yearsOn !== undefined) return
  const first = year ?? Number(today.slice(0, 4)) + (yearsOn ?? 0)
  // The 29th of February comes at least every eighth year.
  const isStated = year !== undefined || yearsOn !== undefined
  return Array.from({ length: isStated ? 1 : 9 }, (_, index) => dayIn(first + index)).find(
    (day) => day !== undefined && day >= today,
  )
}

const lastDayOfMonth = (day: string): string => daysAfter(monthsAfter(day, 1), -1)
