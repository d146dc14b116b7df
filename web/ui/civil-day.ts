import { useSyncExternalStore } from 'react'

/** The reader's own day, `YYYY-MM-DD`. */
export function todayHere(now = new Date()): string {
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}

/** The reader's own day, also past midnight; empty in prerendered HTML, which is made on another day. */
export const useToday = (): string =>
  useSyncExternalStore(
    onEachMinute,
    () => todayHere(),
    () => '',
  )

function onEachMinute(look: () => void) {
  const timer = setInterval(look, 60_000)
  // A computer that slept through midnight has no minute to wait.
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}

/** A civil day in words. It has no time zone, so it is read and written in the same one. */
export const dayInWords = (day: string, locale: string): string =>
  inWords(`${day}T00:00Z`, locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** The same as a heading: the weekday, and no year. */
export const weekdayInWords = (day: string, locale: string): string =>
  inWords(`${day}T00:00Z`, locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

/** The day of an instant, in words, where the reader is. */
export const instantInWords = (instant: string, locale: string): string =>
  inWords(instant, locale, { dateStyle: 'medium' })

/** To make one takes a third of a millisecond, and a list needs a hundred. */
const formats = new Map<string, Intl.DateTimeFormat>()

function inWords(time: string, locale: string, parts: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${Object.values(parts)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, parts)
  formats.set(key, format)
  return format.format(new Date(time))
}
