import { daysAfter, timeHere, todayHere } from '../days.ts'
import { firstDay, nextDay } from '../repeat-days.ts'
import { formatRule, parseRule, type RepeatRule } from '../repeat-rules.ts'
import { type DayFacts, dayOf } from './day-of-facts.ts'
import type { Now, When } from './task-text.ts'

/** What words say of a time of day. */
type TimeFacts = {
  /** 24 is midnight. */
  hour?: number
  minute?: number
  /** 0 or 12 hours, for a.m. and p.m. */
  half?: number
  /** The hour is one of twelve, of which those from 1 to 7 are in the afternoon. */
  twelve?: number
  /** Minutes that are added to the hour. */
  more?: number
  /** The usual hour of a part of the day. */
  part?: number
  /** The minutes of a distance from now, for each of `count`. */
  minutes?: number
}

/** Words that state nothing else name a time without a day. `count` is of a day too. */
export const isTimeAlone = (facts: Facts): boolean =>
  (facts.hour ?? facts.minutes) !== undefined &&
  Object.keys(facts).every((name) => timeFacts.has(name) || (name === 'count' && facts.minutes !== undefined))

const timeFacts = new Set(['hour', 'minute', 'half', 'twelve', 'more', 'part', 'minutes'])

/** What words say of a repeat. */
type RepeatFacts = {
  /** A rule of RFC 5545. */
  rule?: string | undefined
  /** It counts from the completion. */
  fromDone?: number | undefined
  until?: DayFacts | undefined
  from?: DayFacts | undefined
  times?: DayFacts | undefined
  lasting?: DayFacts | undefined
}

export type Facts = DayFacts & TimeFacts & RepeatFacts

/** The hours that belong to a part of the day, by its usual hour. */
const hoursOfPart: Record<number, [first: number, last: number]> = {
  9: [0, 11],
  12: [11, 14],
  15: [12, 18],
  19: [17, 23],
}
const minutesOfDay = 24 * 60

/** The day and the time of which all facts are true, from now on. Facts that do not belong together have none. */
export function whenOf({ until, from, times, lasting, ...facts }: Facts, now: Now): When | undefined {
  if (facts.rule !== undefined) return repeatOf({ until, from, times, lasting, ...facts }, now)
  return until || from || times || lasting ? undefined : timeOf(facts, now)
}

/** The repeat of which all facts are true, with its first day. */
function repeatOf(
  { rule, fromDone, until, from, times, lasting, ...facts }: Facts,
  now: Now,
): When | undefined {
  const when = timeOf({ ...facts, offset: 0 }, { ...now, time: '00:00' })
  const last = until && dayOf(until, now.today)
  const start = from ? dayOf(from, now.today) : now.today
  if (facts.offset !== undefined || !when || (until && !last) || !start) return
  const text = [rule, last && `UNTIL=${last.replaceAll('-', '')}`, times && `COUNT=${times.count}`]
  const parsed = parseRule(text.filter(Boolean).join(';'))
  // A time of today that is over is not the first one.
  const isOver = !from && when.time != null && when.time < now.time
  const day = parsed && firstDay(parsed, isOver ? daysAfter(start, 1) : start)
  if (!parsed || !day) return
  const ended = lasting ? withLength(parsed, day, lasting) : parsed
  return (
    ended && { ...when, day, repeat: formatRule(anchored(ended, day)), repeatFrom: fromDone ? 'done' : 'due' }
  )
}

/** The time of which all facts are true, with its day. */
function timeOf(
  { hour, minute, half, twelve, more, part, minutes, ...rest }: Facts,
  now: Now,
): When | undefined {
  const ofDay = Object.keys(rest).length > 0
  if (minutes !== undefined) {
    const { count = 0, ...others } = rest
    const isAlone = hour === undefined && part === undefined && Object.keys(others).length === 0
    // "Eggs in 5 minutes" is a duration.
    return isAlone && count * minutes >= 10 ? afterMinutes(count * minutes, now) : undefined
  }
  const isTimed = hour !== undefined || part !== undefined
  if (rest.someday) return !isTimed && Object.keys(rest).length === 1 ? { day: null, time: null } : undefined
  const day = ofDay ? dayOf(rest, now.today) : now.today
  if (!day || !isTimed) return ofDay && day ? { day } : undefined
  // Midnight of a day may be its first or its last minute.
  if (hour === 24)
    return ofDay || part !== undefined || minute !== 0 || more !== undefined
      ? undefined
      : { day: daysAfter(day, 1), time: '00:00', assumed: ['tomorrow'] }
  const isAfternoon = twelve !== undefined && half === undefined && part === undefined && isFrom1To7(hour)
  const exact = isAfternoon ? Number(hour) + 12 : hourOf(hour ?? Number(part), half, part)
  if (exact === undefined || Number(minute ?? 0) > 59) return
  const { time } = atMinute(exact * 60 + (minute ?? 0) + (more ?? 0), day)
  // "Tonight" at 22:00 is still today, but not at its usual hour.
  if (hour === undefined && day === now.today && time < now.time) return { day }
  const isOver = !ofDay && time < now.time
  const assumed = [isOver && ('tomorrow' as const), isAfternoon && ('afternoon' as const)].filter(
    (is) => is !== false,
  )
  return { day: isOver ? daysAfter(day, 1) : day, time, ...(assumed.length > 0 && { assumed }) }
}

/** A rule that ends after so many units from its first day. Undefined if it does not repeat in them: "every month for 2 days". */
function withLength(rule: RepeatRule, day: string, length: DayFacts): RepeatRule | undefined {
  const [end, next] = [dayOf(length, day), nextDay(rule, day, day)]
  if (!end || !next || next >= end || rule.count !== undefined || rule.until !== undefined) return
  return { ...rule, until: daysAfter(end, -1) }
}

/** A rule that names no day of the month means that of its first day; in shorter months it is the last day. */
function anchored(rule: RepeatRule, day: string): RepeatRule {
  const date = Number(day.slice(8))
  const isNamed = rule.byDay.length + rule.byMonthDay.length > 0
  const isShorter = rule.freq === 'MONTHLY' || (rule.freq === 'YEARLY' && day.slice(5) === '02-29')
  if (isNamed || !isShorter || date < 29) return rule
  const byMonthDay = Array.from({ length: date - 27 }, (_, index) => 28 + index)
  return { ...rule, ...(rule.freq === 'YEARLY' && { byMonth: [2] }), byMonthDay, bySetPos: -1 }
}

const isFrom1To7 = (hour = 0) => hour >= 1 && hour <= 7

/** The hour of 24, if it is one, and one of its half and part of the day. */
function hourOf(hour: number, half: number | undefined, part: number | undefined): number | undefined {
  if (half !== undefined && (hour < 1 || hour > 12)) return
  const [first, last] = hoursOfPart[part ?? -1] ?? [0, 23]
  const hours =
    half !== undefined ? [(hour % 12) + half] : part === undefined || hour > 12 ? [hour] : [hour, hour + 12]
  return hours.find((hour) => hour >= first && hour <= last)
}

/** What the clock shows after so many minutes, in which it may be changed. */
function afterMinutes(minutes: number, { today, time }: Now): When {
  const later = new Date(new Date(`${today}T${time}`).getTime() + minutes * 60_000)
  return { day: todayHere(later), time: timeHere(later) }
}

function atMinute(minutes: number, today: string): { day: string; time: string } {
  const ofDay = (minutes + minutesOfDay) % minutesOfDay
  const pad = (part: number) => String(part).padStart(2, '0')
  return {
    day: daysAfter(today, Math.floor(minutes / minutesOfDay)),
    time: `${pad(Math.floor(ofDay / 60))}:${pad(ofDay % 60)}`,
  }
}
