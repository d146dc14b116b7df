import { useSyncExternalStore } from 'react'
import { timeHere, todayHere } from '#contract/days.ts'
import { useLocale } from './use-locale.ts'

/** In the reader's time zone. */
export const dayOfInstant = (instant: string): string => todayHere(new Date(instant))

/** What is read from the clock, again each minute; empty during hydration, since the HTML was prerendered on another day. */
const useClock = (read: () => string): string => useSyncExternalStore(onEachMinute, read, () => '')

export const useToday = (): string => useClock(todayHere)

export const useTimeHere = (): string => useClock(timeHere)

export type DayContext = { today: string; locale: string }

export const useDayContext = (): DayContext => ({ today: useToday(), locale: useLocale() })

/** The functions that read the clock. All read it at once, so that the day and the time on screen belong together. */
const looks = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

function lookAtClock() {
  // At the beginning of the next minute, which is the same in all time zones.
  clearTimeout(timer)
  timer = setTimeout(lookAtClock, 60_000 - (Date.now() % 60_000))
  for (const look of looks) look()
}

export function onEachMinute(look: () => void) {
  if (looks.size === 0) {
    lookAtClock()
    // Timers stop while the computer sleeps, so the clock is also read when the page becomes visible.
    document.addEventListener('visibilitychange', lookAtClock)
  }
  looks.add(look)
  return () => {
    looks.delete(look)
    if (looks.size > 0) return
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', lookAtClock)
  }
}

/** A civil day has no time zone, so it is parsed and formatted in UTC. */
export const formatCivil = (day: string, locale: string, options: Intl.DateTimeFormatOptions): string =>
  format(`${day}T00:00Z`, locale, { ...options, timeZone: 'UTC' })

export const formatDay = (day: string, today: string, locale: string): string =>
  formatCivil(day, locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
  })

export const formatTime = (time: string, locale: string): string =>
  format(`1970-01-01T${time}Z`, locale, { timeStyle: 'short', timeZone: 'UTC' })

export const formatWeekday = (day: string, locale: string): string =>
  formatCivil(day, locale, { weekday: 'long', day: 'numeric', month: 'long' })

export const formatInstant = (instant: string, today: string, locale: string): string =>
  format(
    instant,
    locale,
    dayOfInstant(instant).slice(0, 4) === today.slice(0, 4)
      ? { day: 'numeric', month: 'short' }
      : { dateStyle: 'medium' },
  )

/** The calendar is that of date fields. The digits are those of the English texts around a day. */
export const sharedFormat = { calendar: 'gregory', numberingSystem: 'latn' } as const

/** Creating a formatter takes a third of a millisecond, and a list needs a hundred. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** In UTC if the options say so. Empty if the text is no instant. */
export function format(time: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  // A formatter would keep its first zone, although the reader travels.
  if (!options.timeZone) date.setTime(date.getTime() - date.getTimezoneOffset() * 60_000)
  const key = `${locale} ${Object.entries(options)}`
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...sharedFormat, ...options, timeZone: 'UTC' })
  formatters.set(key, formatter)
  return formatter.format(date)
}
