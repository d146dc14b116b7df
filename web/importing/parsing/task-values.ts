import { isDay } from '#contract/days.ts'
import { dueDates } from '#contract/limits.ts'
import { parseReminders } from '#contract/reminder-times.ts'
import { formatRule, parseRule } from '#contract/repeat-rules.ts'
import { firstRepeatDay } from '#contract/repeats.ts'
import { isInRange, wallClockIn } from './days.ts'
import { cutTo } from './fitted-text.ts'
import { remark, stored } from './remarks.ts'
import type { SourceTask } from './source-items.ts'

/** Returns the due date of a task. What is none becomes a line of the body. */
export function dueDayOf({ row: at, dueDate = null, dueTime = null, dueText }: SourceTask, lines: string[]) {
  if (dueText !== undefined && dueText.trim() !== '') {
    remark(at, 'day-as-text', { day: cutTo(dueText, 100) })
    lines.push(`Due: ${stored(dueText, at)}`)
  }
  if (dueDate === null || isInRange(dueDate)) return { dueDate, dueTime: dueDate === null ? null : dueTime }
  if (isDay(dueDate)) remark(at, 'day-outside-range', { day: dueDate, ...dueDates })
  lines.push(`Due: ${dueDate}`)
  return { dueDate: null, dueTime: null }
}

/** Returns the repeat of a task. A rule that Daymark does not have becomes a line of the body. */
export function ruleOf(task: SourceTask, dueDate: string | null, lines: string[], zone: string) {
  const { row: at, repeat, repeatFrom = 'due' } = task
  const none = { repeat: null, repeatFrom: 'due', repeatDay: null } as const
  if (repeat === undefined || repeat.trim() === '') return none
  const shown = { repeat: cutTo(repeat, 200) }
  // A done task of another program stands for one occurrence, and the open one carries the rule.
  const isDone = Boolean(task.isDone || task.doneAt)
  const rule = dueDate === null || isDone ? undefined : storedRule(repeat, dueDate, zone)
  if (rule !== undefined && dueDate !== null)
    return { repeat: rule, repeatFrom, repeatDay: firstRepeatDay(rule, dueDate) ?? null }
  const isLacking = dueDate === null && /FREQ=/i.test(repeat)
  remark(at, isDone ? 'repeat-of-done' : isLacking ? 'repeat-without-day' : 'repeat-as-text', shown)
  lines.push(`Repeat: ${stored(repeat, at)}`)
  return none
}

/** Returns the reminders that are still to come. `now`: a wall clock, as reminders have it. */
export function remindersOf(
  { row: at, reminders = [], isDone, doneAt }: SourceTask,
  dueTime: string | null,
  now: string,
): string | null {
  let kept: string | null = null
  for (const reminder of isDone || doneAt ? [] : new Set(reminders)) {
    const all: string = kept === null ? reminder : `${kept} ${reminder}`
    const last = parseReminders(all)?.at(-1)
    const isOver = last?.kind === 'at' && last.wall <= now
    if (!last || isOver || (last.kind === 'minutes' && dueTime === null))
      remark(at, 'reminder-left-out', { reminder: cutTo(reminder, 100) })
    else kept = all
  }
  return kept
}

/**
 * Returns the rule that Daymark stores for one of another program, or undefined if it is outside the subset or never occurs. UNTIL
 * is an instant in other programs if the start has a time.
 */
export function storedRule(text: string, dueDate: string, zone: string): string | undefined {
  const parts = text
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')
    .flatMap((part) => {
      const [name = '', value = ''] = part.split('=')
      if (part === '') return []
      if (name !== 'UNTIL') return [part]
      const until = wallClockIn(value, zone)?.day ?? value
      return [`UNTIL=${(until > dueDates.max ? dueDates.max : until).replaceAll('-', '')}`]
    })
  const rule = parseRule(parts.join(';'))
  if (!rule) return undefined
  const stored = formatRule(rule)
  return firstRepeatDay(stored, dueDate) === undefined ? undefined : stored
}
