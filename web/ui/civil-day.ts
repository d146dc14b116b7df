import { useSyncExternalStore } from 'react'

/** The reader's own day, `YYYY-MM-DD`. */
export function todayHere(now = new Date()): string {
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}

/** The reader's own day, updated after midnight; empty during hydration, since the HTML was prerendered on another day. */
export const useToday = (): string =>
  useSyncExternalStore(
    onEachMinute,
    () => todayHere(),
    () => '',
  )

function onEachMinute(look: () => void) {
  const timer = setInterval(look, 60_000)
  // Timers stop while the computer sleeps, so the day is also checked when the page becomes visible.
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}

/** Formats a civil day. It has no time zone, so it is parsed and formatted in UTC. */
export const formatDay = (day: string, locale: string): string =>
  format(`${day}T00:00Z`, locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a civil day for a heading: with the weekday, without the year. */
export const formatWeekday = (day: string, locale: string): string =>
  format(`${day}T00:00Z`, locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

/** Formats the day of an instant in the reader's time zone. */
export const formatInstant = (instant: string, locale: string): string =>
  format(instant, locale, { dateStyle: 'medium' })

/** Creating a formatter takes a third of a millisecond, and a list needs a hundred. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function format(time: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${Object.values(options)}`
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, formatter)
  return formatter.format(new Date(time))
}
