import { daysAfter, timeHere, todayHere } from '../days.ts'
import { firstDay, nextDay } from '../repeat-days.ts'
import { datesTo, formatRule, parseRule, type RepeatRule } from '../repeat-rules.ts'
import { type DayFacts, dayOf } from './day-of-facts.ts'
import type { Now, When } from './task-text.ts'

/** What words say of a time of day. */
type TimeFacts = {
  hour?: number
  /** The first minute of a day that is named, otherwise the next one. */
  midnight?: number
  minute?: number
  /** 0 or 12 hours, for a.m. and p.m. */
  half?: number
  /** The hour is one of twelve. With 1, those from 1 to 7 are in the afternoon. */
  twelve?: number
  /** Minutes that are added to the hour. */
  more?: number
  /** The usual hour of a part of the day. */
  part?: number
  /** The minutes of a distance from now, for each of `count`. */
  minutes?: number
}

const timeFacts = ['hour', 'midnight', 'minute', 'half', 'twelve', 'more', 'part', 'minutes']

/** Whether words state a time of day, be it a part of it. */
export const isTimed = ({ hour, midnight, minutes, part }: Facts): boolean =>
  (hour ?? midnight ?? minutes ?? part) !== undefined

/** Words that state nothing else name a time without a day. `count` is of a day too. */
export const isTimeAlone = (facts: Facts): boolean => isTimed(facts) && !isDated(facts)

const isDated = (facts: Facts) =>
  Object.keys(facts).some(
    (name) => !timeFacts.includes(name) && !(name === 'count' && facts.minutes !== undefined),
  )

/** What words say of a repeat. */
type RepeatFacts = {
  /** A rule of RFC 5545. */
  rule?: string | undefined
  /** It counts from the completion. */
  fromDone?: number | undefined
  /** Its last and its first day. */
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
const evening = 19

/** The day and the time, from now on, that fit all facts. Facts that do not belong together have none. */
export function whenOf({ until, from, times, lasting, ...facts }: Facts, now: Now): When | undefined {
  if (facts.rule !== undefined) return repeatOf({ until, from, times, lasting, ...facts }, now)
  return until || from || times || lasting ? undefined : timeOf(facts, now)
}

function repeatOf(
  { rule = '', fromDone, until, from, times, lasting, ...facts }: Facts,
  now: Now,
): When | undefined {
  const [ofTime, ofDay] = [pick(facts, true), pick(facts, false)]
  // On a day other than today, no hour is over.
  const when = timeOf({ ...ofTime, offset: 1 }, now)
  if (when?.day !== daysAfter(now.today, 1) || [until, from].some((day) => day && !isOneDay(day))) return
  const isNamed = Object.keys(ofDay).length > 0
  if (isNamed && (from || !isFirstOf(ofDay, rule))) return
  const start = dayOf(isNamed ? ofDay : (from ?? { offset: 0 }), now.today)
  const last = until && dayOf(until, now.today)
  if (!start || (until && !last)) return
  const text = [rule, last && `UNTIL=${last.replaceAll('-', '')}`, times && `COUNT=${times.count}`]
  const parsed = parseRule(text.filter(Boolean).join(';'))
  // A time of today that is over is not the first one.
  const isOver = !isNamed && !from && when.time != null && when.time < now.time
  const day = parsed && firstDay(parsed, isOver ? daysAfter(start, 1) : start)
  if (!parsed || !day || (isNamed && day !== start)) return
  const ended = lasting ? withLength(parsed, day, lasting) : parsed
  return (
    ended && { ...when, day, repeat: formatRule(anchored(ended, day)), repeatFrom: fromDone ? 'done' : 'due' }
  )
}

const pick = (facts: Facts, ofTime: boolean): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => timeFacts.includes(name) === ofTime))

/** "Next week" and "in march" are several days. */
const isOneDay = ({ offset, weekday, count, date, end }: DayFacts) =>
  (offset ?? weekday ?? count ?? date ?? end) !== undefined

/**
 * Whether words next to a rule say its first day. In "every day next week" they say how long it lasts, in "every month on friday" which
 * day it is. "Every two years in march" has the first day of that month.
 */
function isFirstOf(facts: DayFacts, rule: string): boolean {
  const { offset, weekday, count, date, month, nth, end } = facts
  if ((nth ?? end) !== undefined) return false
  if ((offset ?? count ?? date) !== undefined) return true
  return weekday === undefined
    ? month !== undefined && rule.startsWith('FREQ=YEARLY')
    : /^FREQ=(?:DAI|WEEK)LY/.test(rule)
}

function timeOf(
  { hour, midnight, minute, half, twelve, more, part, minutes, ...rest }: Facts,
  now: Now,
): When | undefined {
  const ofDay = Object.keys(rest).length > 0
  if (minutes !== undefined) {
    const { count = 0, ...others } = rest
    const isAlone = hour === undefined && part === undefined && Object.keys(others).length === 0
    // "Eggs in 5 minutes" is a duration.
    return isAlone && count * minutes >= 10 ? afterMinutes(count * minutes, now) : undefined
  }
  const isTimed = (hour ?? midnight ?? part) !== undefined
  if (rest.someday) return !isTimed && Object.keys(rest).length === 1 ? { day: null, time: null } : undefined
  const day = ofDay ? dayOf(rest, now.today) : now.today
  if (!day || !isTimed) return ofDay && day ? { day } : undefined
  if (midnight !== undefined) {
    // "Tonight at midnight" is the last minute of today, "today at midnight" cannot be the first one.
    const isLast = part === evening || day === now.today
    if (hour !== undefined || (part !== undefined && part !== evening)) return
    const assumed = [isLast ? ('tomorrow' as const) : ('midnight' as const)]
    return {
      day: isLast ? daysAfter(day, 1) : day,
      time: '00:00',
      ...(part === undefined && { assumed }),
    }
  }
  if (hour === 24 && (part !== undefined || minute !== 0 || more !== undefined)) return
  if (hour === 24)
    return { day: daysAfter(day, 1), time: '00:00', ...(!ofDay && { assumed: ['tomorrow' as const] }) }
  const mayBeLater = twelve !== undefined && half === undefined && part === undefined
  const exact = hourOf(hour ?? Number(part), half, part)
  if (exact === undefined || Number(minute ?? 0) > 59) return
  const at = (hour: number) => atMinute(hour * 60 + (minute ?? 0) + (more ?? 0), day).time
  // "Today at half past three" is the next one, if there is one today.
  const isNext =
    ofDay && day === now.today && exact < 12 && at(exact) < now.time && at(exact + 12) >= now.time
  const isAfternoon = mayBeLater && ((twelve === 1 && isFrom1To7(hour)) || isNext)
  const time = at(isAfternoon ? exact + 12 : exact)
  // "Tonight" at 22:00 is still today, but not at its usual hour.
  if (hour === undefined && ofDay && day === now.today && time < now.time) return { day }
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
  const byMonth = rule.freq === 'YEARLY' ? [2] : rule.byMonth
  return { ...rule, byMonth, byMonthDay: datesTo(date), bySetPos: -1 }
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

/** What the clock shows after so many minutes. Summer time may begin or end meanwhile. */
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
