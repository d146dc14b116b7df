/** The reader's own day, `YYYY-MM-DD`. */
export function todayHere(now = new Date()): string {
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`
}

/** A civil day in words. It has no time zone, so it is read and written in the same one. */
export function dayInWords(day: string, locale: string): string {
  const date = new Date(`${day}T00:00Z`)
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(date)
}

/** The day of an instant, in words, where the reader is. */
export const instantInWords = (instant: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(instant))
