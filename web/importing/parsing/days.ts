import { isDay } from '#contract/fields.ts'
import { dueDates } from '#contract/limits.ts'
import { instantOf, wallClockOf } from '#contract/zone-clock.ts'

/** A day, and its time if the source has one. */
export type WallClock = { day: string; time: string | null }

const isoPattern =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\s?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** Returns the instant of an ISO 8601 text, or of one without an offset in this zone. */
export function instantIn(text: string, zone: string): number | undefined {
  const [, year, month, date, hour = '00', minute = '00', second = '00', offset] =
    isoPattern.exec(text.trim()) ?? []
  const day = `${year}-${month}-${date}`
  if (!isDay(day)) return undefined
  const time = `${hour}:${minute}:${second}`
  if (offset === undefined)
    return Number(hour) > 23 || Number(minute) > 59 ? undefined : instantOf(day, time, zone)
  const instant = Date.parse(`${day}T${time}${offset.toUpperCase().replace(/(\d{2})(\d{2})$/, '$1:$2')}`)
  return Number.isNaN(instant) ? undefined : instant
}

const instantAsUtc = ({ day, time }: WallClock) => Date.parse(`${day}T${time ?? '00:00'}Z`)

/** The minutes on the clock from one wall clock to another one. A day without a time begins at midnight. */
export const minutesFrom = (one: WallClock, other: WallClock): number =>
  (instantAsUtc(other) - instantAsUtc(one)) / 60_000

export const daysFrom = (one: string, other: string): number =>
  minutesFrom({ day: one, time: null }, { day: other, time: null }) / 1440

/** Returns the wall clock so many minutes later, or undefined if it has no year of four digits. */
export function minutesLater(from: WallClock, minutes: number): WallClock | undefined {
  const later = new Date(instantAsUtc(from) + minutes * 60_000)
  const [day = '', clock = ''] = Number.isNaN(later.getTime()) ? [] : later.toISOString().split('T')
  return isDay(day) ? { day, time: from.time === null ? null : clock.slice(0, 5) } : undefined
}

export const isInRange = (day: string): boolean => day >= dueDates.min && day <= dueDates.max

/** Returns the instant as it is stored, or null if there is none. Years before 1970 mean that there is none. */
export function storedInstant(instant: number | undefined): string | null {
  if (instant === undefined || !(instant > 0) || instant > Date.parse(dueDates.max)) return null
  return new Date(instant).toISOString()
}

/** Returns what a text in ISO 8601 says. An instant with an offset becomes a day and a time of the zone. */
export function wallClockIn(text: string, zone: string): WallClock | undefined {
  const [, year, month, date, hour, minute = '00', , offset] = isoPattern.exec(text.trim()) ?? []
  const day = `${year}-${month}-${date}`
  if (!isDay(day)) return undefined
  if (hour === undefined) return { day, time: null }
  if (offset !== undefined) {
    const instant = instantIn(text, zone)
    return instant === undefined ? undefined : wallClockOf(instant, zone)
  }
  return Number(hour) > 23 || Number(minute) > 59 ? undefined : { day, time: `${hour}:${minute}` }
}

const numberedPattern = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:,?\s+(.+))?$/
const clockPattern = /^(\d{1,2})[:.h](\d{2})(?:[:.]\d{2})?\s*([ap])?\.?(?:m\.?)?$/i

/** Whether a text is a day such as 3/4/2026, and which of its numbers can be the month. */
export function dayOrderOf(text: string): 'day first' | 'month first' | 'unclear' | undefined {
  const [, first = '', separator, second = ''] = numberedPattern.exec(text.trim()) ?? []
  if (separator === undefined || separator === '.' || first.length > 2 || first === second) return undefined
  if (Number(first) > 12) return 'day first'
  return Number(second) > 12 ? 'month first' : 'unclear'
}

/** Whether people of a region write the day before the month. */
export function isDayFirstIn(language: string): boolean {
  const types = new Intl.DateTimeFormat(language).formatToParts(0).map(({ type }) => type)
  return types.indexOf('day') < types.indexOf('month')
}

/** Returns what a text such as 3/4/2026 9:30 PM says. A day with full stops has its day first. */
export function numberedDay(text: string, isDayFirst: boolean): WallClock | undefined {
  const [, first = '', separator = '', second = '', third = '', rest] =
    numberedPattern.exec(text.trim()) ?? []
  const isYearFirst = first.length === 4
  const isFirst = separator === '.' || isDayFirst
  const [year, month, date] = isYearFirst
    ? [first, second, third]
    : [third.length === 2 ? `20${third}` : third, isFirst ? second : first, isFirst ? first : second]
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  if (!isDay(day)) return undefined
  if (rest === undefined) return { day, time: null }
  const time = clockIn(rest)
  return time === undefined ? undefined : { day, time }
}

/** Returns the time that a text such as `9:30 PM` says, as `HH:MM`. */
export function clockIn(text: string): string | undefined {
  const [, hour, minute = '', half] = clockPattern.exec(text.trim()) ?? []
  if (hour === undefined || Number(minute) > 59) return undefined
  const isAfternoon = half?.toLowerCase() === 'p'
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  return hours > 23 ? undefined : `${String(hours).padStart(2, '0')}:${minute}`
}
