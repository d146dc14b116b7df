import { daysAfter, timeHere, todayHere } from '#contract/days.ts'
import { parseReminders, type ReminderTime } from '#contract/reminder-times.ts'
import { instantOf as instantIn, wallClockOf } from '#contract/zone-clock.ts'
import { type DayContext, formatDay, formatTime } from '../../ui/civil-day.ts'

/** A reminder in words: "10 minutes before", "The evening before at 19:00". The text itself if this version cannot read it. */
export function reminderText(text: string, { today, locale }: DayContext): string {
  const [reminder] = parseReminders(text) ?? []
  if (!reminder) return text
  if (reminder.kind === 'none') return 'No reminder'
  if (reminder.kind === 'minutes') return minutesText(reminder.minutes)
  if (reminder.kind === 'days')
    return `${daysText(reminder.days, reminder.time)} at ${formatTime(reminder.time, locale)}`
  const [day = '', time = ''] = reminder.wall.split('T')
  const named = day === today ? 'Today' : formatDay(day, today, locale)
  return `${named} at ${formatTime(time, locale)}`
}

export const remindersText = (reminders: string, place: DayContext): string =>
  reminders
    .split(' ')
    .map((text) => reminderText(text, place))
    .join(' · ')

function minutesText(minutes: number): string {
  if (minutes === 0) return 'At the time'
  const [unit, name, one] = units.find(([unit]) => minutes % unit === 0) ?? [1, 'minutes', 'A minute']
  return minutes === unit ? `${one} before` : `${minutes / unit} ${name} before`
}

const units: [minutes: number, name: string, one: string][] = [
  [1440, 'days', 'A day'],
  [60, 'hours', 'An hour'],
  [1, 'minutes', 'A minute'],
]

function daysText(days: number, time: string): string {
  if (days === 0) return time < '12:00' ? 'That morning' : 'On the day'
  if (days === 1) return time >= '17:00' ? 'The evening before' : 'The day before'
  return `${days} days before`
}

/** In milliseconds. Without a zone, on the clock of this device. */
export function instantOf({ wall, minutes }: Pick<ReminderTime, 'wall' | 'minutes'>, zone: string | null) {
  const [day = '', time = ''] = wall.split('T')
  return (zone === null ? new Date(wall).getTime() : instantIn(day, time, zone)) - minutes * minute
}

export function wallClock(instant: Date, zone: string | null): string {
  if (zone === null) return `${todayHere(instant)}T${timeHere(instant)}`
  const { day, time } = wallClockOf(instant.getTime(), zone)
  return `${day}T${time}`
}

export const tomorrowOf = (now: Date, zone: string | null) => daysAfter(wallClock(now, zone).slice(0, 10), 1)

/** When the clock is set back, an hour occurs twice. Its first occurrence counts, so the minute after that hour is taken. */
export function anHourAfter(now: Date, zone: string | null): string {
  const again = new Date(Math.floor(now.getTime() / minute) * minute + 60 * minute)
  while (instantOf({ wall: wallClock(again, zone), minutes: 0 }, zone) < again.getTime())
    again.setTime(again.getTime() + minute)
  return wallClock(again, zone)
}

const minute = 60_000
