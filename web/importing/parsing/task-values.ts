import { daysAfter } from '#contract/days.ts'
import { isDay } from '#contract/fields.ts'
import { dueDates } from '#contract/limits.ts'
import { parseReminders } from '#contract/reminder-times.ts'
import { formatRule, parseRule, type RepeatRule } from '#contract/repeat-rules.ts'
import { firstRepeatDay, skippedRepeat } from '#contract/repeats.ts'
import type { RuleStart, SourceItem, WallClock } from '../../engine/imported.ts'
import { daysFrom, isInRange, wallClockIn } from './days.ts'
import { cutTo } from './fitted-text.ts'
import { remark, stored } from './remarks.ts'

const duration =
  /^([+-])?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i

/** Returns the minutes of a duration of iCalendar such as `-PT30M`, or undefined if the text is none. */
export function minutesIn(text: string): number | undefined {
  const [whole, sign, ...parts] = duration.exec(text.trim()) ?? []
  if (whole === undefined || parts.every((part) => part === undefined)) return undefined
  const [week, day, hour, minute] = parts.map((part) => Number(part ?? 0)) as [number, number, number, number]
  const length = ((week * 7 + day) * 24 + hour) * 60 + minute
  return sign === '-' ? -length : length
}

/**
 * Returns the reminder of `reminder-times.ts` for a duration before or after a day or a time, such as `-PT30M`, or the text as it is.
 * Without a time, it counts from midnight. `from`: so many minutes after the due day or time, what the duration counts from.
 */
export function reminderOf(trigger: string, hasTime: boolean, from = 0): string {
  const minutes = minutesIn(trigger.replace(/^\s*TRIGGER:/i, ''))
  if (minutes === undefined) return trigger
  const after = from + minutes
  return hasTime && after > 0 ? trigger : reminderAt(after, hasTime)
}

/** The reminder so many minutes after the due time, or after the midnight of the due day. */
export function reminderAt(after: number, hasTime: boolean): string {
  if (hasTime) return `${-after || 0}m`
  const days = Math.ceil(-after / 1440) || 0
  const rest = after + days * 1440
  const [hour, minute] = [Math.floor(rest / 60), rest % 60].map((part) => String(part).padStart(2, '0'))
  return `${days}d${hour}:${minute}`
}

/** Returns the due date of a task. What is none becomes a line of the body. */
export function dueDayOf({ row: at, due }: SourceItem, lines: string[]): WallClock | undefined {
  const said = saidDay(due) ?? ''
  if (said.trim() === '') return undefined
  if (typeof due === 'string') remark(at, 'day-as-text', cutTo(said, 100))
  else if (isInRange(said)) return due
  else if (isDay(said)) remark(at, 'day-outside-range', said)
  lines.push(`Due: ${stored(said, at)}`)
  return undefined
}

export const saidDay = (due: SourceItem['due']) => (typeof due === 'string' ? due : due?.day)

/**
 * Returns the repeat of a task, and the due date of its first occurrence that is left. A rule that Daymark does not have becomes a line
 * of the body, and so does what a source adds to a rule.
 */
export function ruleOf(task: SourceItem, due: WallClock | undefined, lines: string[], zone: string) {
  const { row: at, repeatFrom = 'due', done } = task
  const none = { dueDate: due?.day ?? null, repeat: null, repeatFrom: 'due', repeatDay: null } as const
  const [repeat, ...added] = repeatLines(task.repeat ?? '')
  for (const more of added) {
    remark(at, 'repeat-added', cutTo(more, 200))
    lines.push(stored(more, at).replace(/^RRULE:/i, 'Repeat: '))
  }
  if (repeat === undefined) return none
  // A done task of another program stands for one occurrence, and the open one carries the rule.
  const rule = due && !done ? storedRule(repeat, due, zone, task.ruleStart) : undefined
  if (due && rule !== undefined) {
    const repeatDay = firstRepeatDay(rule, due.day) ?? null
    const { own = [], gone = [] } = task
    const left = firstLeft({ dueDate: due.day, repeat: rule, repeatFrom, repeatDay }, [...own, ...gone])
    const { repeatDay: next } = left
    const again = own.filter((day) => next !== null && day > next).toSorted()
    if (again.length > 0) remark(at, 'repeat-comes-again', cutTo(again.join(', '), 200))
    return left
  }
  const code = done
    ? 'repeat-of-done'
    : !due && /FREQ=/i.test(repeat)
      ? 'repeat-without-day'
      : 'repeat-as-text'
  remark(at, code, cutTo(repeat, 200))
  lines.push(`Repeat: ${stored(repeat, at)}`)
  return none
}

/** The rule first, then what is added to it: a second rule, days without and days in addition. */
function repeatLines(text: string): string[] {
  const all = text.split(/[\r\n]+/).filter((line) => line.trim() !== '' && !/^\s*DTSTART/i.test(line))
  const rule = all.find((line) => /FREQ=/i.test(line) && !/^\s*EX/i.test(line)) ?? all[0]
  return rule === undefined ? [] : [rule, ...all.filter((line) => line !== rule)]
}

const mostGone = 1000

/** The first occurrence that is not among the days that have an item of their own or were removed. */
function firstLeft<Series extends Parameters<typeof skippedRepeat>[0]>(
  series: Series,
  gone: string[],
): Series {
  const days = new Set(gone.slice(0, mostGone))
  let left = series
  while (left.repeatDay !== null && days.has(left.repeatDay)) {
    days.delete(left.repeatDay)
    const next = skippedRepeat({ ...left, repeatFrom: 'due' })
    if (!next) break
    left = { ...left, ...next, repeatFrom: series.repeatFrom }
  }
  return left
}

/** Returns the reminders that are still to come. `now`: a wall clock, as reminders have it. */
export function remindersOf(
  { row: at, reminders = [], done }: SourceItem,
  due: WallClock | undefined,
  now: string,
): string | null {
  let kept: string | null = null
  for (const reminder of done ? [] : new Set(reminders)) {
    const all: string = kept === null ? reminder : `${kept} ${reminder}`
    const last = parseReminders(all)?.at(-1)
    const isOver = last?.kind === 'at' && last.wall <= now
    if (!last || isOver || (last.kind === 'minutes' && !due?.time))
      remark(at, 'reminder-left-out', cutTo(reminder, 100))
    else kept = all
  }
  return kept
}

/**
 * Returns the rule that Daymark stores for one of another program, or undefined if it is outside the subset or never occurs. `start`:
 * what the rule counts from there. UNTIL is an instant in other programs if that has a time.
 */
export function storedRule(
  text: string,
  due: WallClock,
  zone: string,
  start: RuleStart = { day: due.day, here: due },
): string | undefined {
  const shift = daysFrom(start.day, due.day)
  const parts = text
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')
    .flatMap((part) => {
      const [name = '', value = ''] = part.split('=')
      if (part === '') return []
      if (name !== 'UNTIL') return [part]
      const until = lastDay(value) ?? value
      return [`UNTIL=${(until > dueDates.max ? dueDates.max : until).replaceAll('-', '')}`]
    })
  const parsed = parseRule(parts.join(';'))
  const rule = parsed && movedRule(parsed, shift, due.day)
  if (!rule) return undefined
  const stored = formatRule(rule)
  return firstRepeatDay(stored, due.day) === undefined ? undefined : stored

  /** The due day of the last occurrence up to UNTIL. */
  function lastDay(value: string): string | undefined {
    const until = wallClockIn(value, zone)
    // A day without a time ends at the midnight of its day in UTC, or at the end of it here.
    if (start.here.time === null && /T000000Z$/.test(value)) return wallClockIn(value.slice(0, 8), zone)?.day
    if (!until) return undefined
    if (until.time === null) return daysAfter(until.day, shift)
    const isBefore = start.here.time !== null && until.time < start.here.time
    return daysAfter(until.day, daysFrom(start.here.day, due.day) - (isBefore ? 1 : 0))
  }
}

/** Returns a rule whose days are so many days later, or undefined if no rule has all of them. */
function movedRule(rule: RepeatRule, days: number, due: string): RepeatRule | undefined {
  const { freq, byDay, byMonth, byMonthDay } = rule
  if (days === 0 || byDay.length + byMonth.length + byMonthDay.length === 0) return rule
  if (freq === 'DAILY' || freq === 'WEEKLY') {
    if (byMonth.length + byMonthDay.length > 0) return undefined
    const moved = (weekday: number) => (((weekday + days) % 7) + 7) % 7
    const weekdays = byDay.map(({ weekday }) => ({ weekday: moved(weekday) }))
    weekdays.sort((one, other) => one.weekday - other.weekday)
    const hasWeeks = rule.interval > 1 || rule.bySetPos !== undefined
    return { ...rule, byDay: weekdays, ...(hasWeeks && { weekStart: moved(rule.weekStart) }) }
  }
  const dates = byMonthDay.map((date) => date + days)
  const isInMonth = [...byMonthDay, ...dates].every((date) => date >= 1 && date <= 28)
  const isOfMonth = byMonth.length === 0 || byMonth.includes(Number(due.slice(5, 7)))
  return byDay.length === 0 && isInMonth && isOfMonth ? { ...rule, byMonthDay: dates } : undefined
}
