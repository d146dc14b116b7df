import { daysAfter } from '#contract/days.ts'
import { dueDates } from '#contract/limits.ts'
import { formatRule, onDateOrLast, parseRule, type RepeatRule, weekdays } from '#contract/repeat-rules.ts'
import { derivedRepeat, nextRepeat, type Repeat } from '#contract/repeats.ts'
import { monthsAfter, weekdayOf } from '#contract/words/calendar-days.ts'

export function rulesFor(day: string): string[] {
  const [, month = 1, date = 1] = day.split('-').map(Number)
  const weekday = weekdays[weekdayOf(day)]
  const isLastOfMonth = daysAfter(day, 7).slice(0, 7) !== day.slice(0, 7)
  const which = Math.ceil(date / 7)
  const ordinals = [...(which < 5 ? [which] : []), ...(isLastOfMonth ? [-1] : [])]
  return [
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    `FREQ=WEEKLY;BYDAY=${weekday}`,
    `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday}`,
    `FREQ=MONTHLY;${onDateOrLast(date)}`,
    'FREQ=MONTHLY;BYMONTHDAY=-1',
    ...ordinals.map((ordinal) => `FREQ=MONTHLY;BYDAY=${ordinal}${weekday}`),
    `FREQ=YEARLY;BYMONTH=${month};${month === 2 ? onDateOrLast(date) : `BYMONTHDAY=${date}`}`,
  ]
}

export function withoutEnd(repeat: string): string {
  const rule = parseRule(repeat)
  if (!rule) return repeat
  const { count: _, until: __, ...endless } = rule
  return formatRule(endless)
}

export function withEnd(repeat: string, { count, until }: Pick<RepeatRule, 'count' | 'until'>): string {
  const rule = parseRule(withoutEnd(repeat))
  const end = { ...(count !== undefined && { count }), ...(until !== undefined && { until }) }
  return rule ? formatRule({ ...rule, ...end }) : repeat
}

/** Undefined if the rule would have no day. */
export function withWeekday(rule: RepeatRule, weekday: number, isOn: boolean, day: string) {
  const others = chosenWeekdays(rule, day).filter((other) => other !== weekday)
  const chosen = (isOn ? [...others, weekday] : others).toSorted()
  return chosen.length === 0 ? undefined : { ...rule, byDay: chosen.map((each) => ({ weekday: each })) }
}

/** By their positions in `weekdays`. If the rule names none, that of its first day. */
export const chosenWeekdays = ({ byDay }: RepeatRule, day: string): number[] =>
  byDay.length > 0 ? byDay.map(({ weekday }) => weekday) : [weekdayOf(day)]

/** In months: how long a repeat goes on that ends on a day, until another day is chosen. */
const lasting = { DAILY: 1, WEEKLY: 1, MONTHLY: 12, YEARLY: 60 }

export function offeredEnd({ freq }: RepeatRule, day: string): string {
  const end = monthsAfter(day, lasting[freq])
  return end > dueDates.max ? dueDates.max : end
}

const daysShown = 3

/** `stored`: the edited task, whose day on the grid its rule may keep. */
export function nextDays(
  repeat: string,
  repeatFrom: Repeat['repeatFrom'],
  dueDate: string,
  stored?: Repeat,
): string[] {
  const task = { dueDate, repeat, repeatFrom, repeatDay: stored?.repeatDay ?? null }
  const derived = derivedRepeat(task, stored)
  if (typeof derived !== 'object' || derived.repeatDay === null) return []
  const isKept = stored?.repeat && derived.repeatDay === stored.repeatDay
  const days = [isKept ? dueDate : derived.repeatDay]
  let next: Repeat | undefined = { ...task, ...derived }
  while (days.length < daysShown) {
    next = nextRepeat(next, days.at(-1) as string)
    if (!next?.repeatDay) break
    days.push(next.repeatDay)
  }
  return days
}
