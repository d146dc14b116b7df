import { isDay } from './fields.ts'

/**
 * How many reminders a person gives a task, and how many it has at most: 'In an hour' adds another one. A relative reminder is at
 * most so many minutes before the due time, or days before the due day.
 */
export const reminderLimits = { chosen: 3, stored: 4, minutes: 10_080, days: 60, length: 80 }

export type Reminder = { text: string } & (
  | { kind: 'none' }
  /** So many minutes before the due time: `10m`. */
  | { kind: 'minutes'; minutes: number }
  /** So many days before the due day, at a time: `1d19:00`. */
  | { kind: 'days'; days: number; time: string }
  /** At a time of a day, whatever the due date: `2026-11-27T08:00`. */
  | { kind: 'at'; wall: string }
)

const forms =
  /^(?:(none)|(\d{1,5})m|(\d{1,2})d((?:[01]\d|2[0-3]):[0-5]\d)|(\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d))$/

function parseOne(text: string): Reminder | undefined {
  const [, none, minutes, days, time = '', wall] = forms.exec(text) ?? []
  if (none) return { text, kind: 'none' }
  if (minutes !== undefined)
    return Number(minutes) <= reminderLimits.minutes
      ? { text, kind: 'minutes', minutes: Number(minutes) }
      : undefined
  if (days !== undefined)
    return Number(days) <= reminderLimits.days ? { text, kind: 'days', days: Number(days), time } : undefined
  if (wall === undefined) return undefined
  return isDay(wall.slice(0, 10)) ? { text, kind: 'at', wall } : undefined
}

/** Parses reminders that are separated by spaces. Returns undefined for a text that is not valid. */
export function parseReminders(text: string): Reminder[] | undefined {
  const parts = text.split(' ')
  const parsed = parts.flatMap((part) => parseOne(part) ?? [])
  const relative = parsed.filter(({ kind }) => kind === 'minutes' || kind === 'days').length
  const counted = parsed.filter(({ kind }) => kind !== 'none').length
  const isValid =
    parsed.length === parts.length &&
    new Set(parts).size === parts.length &&
    relative <= reminderLimits.chosen &&
    counted <= reminderLimits.stored &&
    (relative === 0 || counted === parsed.length)
  return isValid ? parsed : undefined
}

const remindersOf = (text: string | null) => (text === null ? [] : (parseReminders(text) ?? []))

export type Reminding = { dueDate: string | null; dueTime: string | null; reminders: string | null }

/** A wall clock, `YYYY-MM-DDTHH:MM`, and how many minutes before its instant the task reminds. */
export type ReminderTime = { reminder: string; wall: string; minutes: number }

/**
 * Returns when a task reminds. `byDefault` is the reminder of a task with a time that has no relative one, and not `none`.
 */
export function reminderTimes({ dueDate, dueTime, reminders }: Reminding, byDefault: string): ReminderTime[] {
  const own = remindersOf(reminders)
  const all = own.every(({ kind }) => kind === 'at') ? [...own, ...remindersOf(byDefault)] : own
  return all.flatMap((each) => {
    const { text: reminder } = each
    if (each.kind === 'at') return { reminder, wall: each.wall, minutes: 0 }
    if (dueDate === null || each.kind === 'none') return []
    if (each.kind === 'days') {
      const day = dayBefore(dueDate, each.days)
      return day === undefined ? [] : { reminder, wall: `${day}T${each.time}`, minutes: 0 }
    }
    return dueTime === null ? [] : { reminder, wall: `${dueDate}T${dueTime}`, minutes: each.minutes }
  })
}

/** Returns undefined before the year 0, where days are not written with four digits. */
function dayBefore(day: string, days: number): string | undefined {
  const before = new Date(Date.parse(`${day}T00:00Z`) - days * 86_400_000)
  return before.getUTCFullYear() >= 0 ? before.toISOString().slice(0, 10) : undefined
}

/** The reminders of the next occurrence of a repeat. Those at a time of a day do not go on. */
export function lastingReminders(reminders: string | null): string | null {
  const lasting = remindersOf(reminders).filter(({ kind }) => kind !== 'at')
  return lasting.map(({ text }) => text).join(' ') || null
}

/** The reminders with another one at `wall`, and without those that are over at `now`. Both are wall clocks. */
export function remindedAgain(reminders: string | null, wall: string, now: string): string {
  const kept = remindersOf(reminders).filter(
    (each) => each.kind !== 'at' || (each.wall > now && each.wall !== wall),
  )
  if (kept.filter(({ kind }) => kind !== 'none').length === reminderLimits.stored)
    kept.splice(
      kept.findLastIndex(({ kind }) => kind === 'at'),
      1,
    )
  return [...kept.map(({ text }) => text), wall].join(' ')
}
