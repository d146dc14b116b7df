// Not in civil-day.ts, which the landing page loads.
import { daysAfter } from '#contract/days.ts'
import { formatCivil, formatWeekday, sharedFormat } from './civil-day.ts'

export const formatDayOfYear = (day: string, today: string, locale: string): string =>
  day.slice(0, 4) === today.slice(0, 4)
    ? formatWeekday(day, locale)
    : formatCivil(day, locale, { dateStyle: 'full' })

export const formatMonth = (day: string, today: string, locale: string): string =>
  formatCivil(day, locale, {
    month: 'long',
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
  })

/** As in `30 Nov – 6 Dec`. */
export const formatRange = (from: string, to: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, {
    ...{ ...sharedFormat, day: 'numeric', month: 'short', timeZone: 'UTC' },
  }).formatRange(new Date(`${from}T00:00Z`), new Date(`${to}T00:00Z`))

type FirstDay = 'locale' | 'sunday' | 'monday' | 'saturday'

export function weekAround(day: string, firstDay: FirstDay, locale: string): [from: string, to: string] {
  const weekday = new Date(`${day}T00:00Z`).getUTCDay()
  const from = daysAfter(day, -((weekday - firstDayNumber(firstDay, locale) + 7) % 7))
  return [from, daysAfter(from, 6)]
}

const dayNumbers = { sunday: 0, monday: 1, saturday: 6 } as const

/** 0 is Sunday. Browsers without week information get Monday, as ISO 8601 has it. */
export function firstDayNumber(firstDay: FirstDay, locale: string): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  if (firstDay !== 'locale') return dayNumbers[firstDay]
  const { firstDay: number } = new Intl.Locale(locale).getWeekInfo?.() ?? { firstDay: 1 }
  return (number % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6
}
