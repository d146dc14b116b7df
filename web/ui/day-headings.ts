// Not in civil-day.ts, which the landing page loads.
import { format, formatWeekday } from './civil-day.ts'

/** Formats a civil day for a heading, with the year if it is not that of `today`. */
export const formatDayOfYear = (day: string, today: string, locale: string): string =>
  day.slice(0, 4) === today.slice(0, 4)
    ? formatWeekday(day, locale)
    : format(`${day}T00:00Z`, locale, { dateStyle: 'full', timeZone: 'UTC' })

/** Formats the month of a civil day for a heading, with the year if it is not that of `today`. */
export const formatMonth = (day: string, today: string, locale: string): string =>
  format(`${day}T00:00Z`, locale, {
    month: 'long',
    timeZone: 'UTC',
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
  })
