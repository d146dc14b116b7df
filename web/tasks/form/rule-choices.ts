import { formatRule, parseRule, type RepeatRule, weekdays } from '#contract/repeat-rules.ts'
import { daysAfter } from '../../ui/civil-day.ts'

const lastFixedDate = 28

/** A part BYMONTHDAY for a date that some months do not have: their last day is meant. */
function onDate(date: number): string {
  if (date <= lastFixedDate) return `BYMONTHDAY=${date}`
  const dates = Array.from({ length: date - lastFixedDate + 1 }, (_, index) => lastFixedDate + index)
  return `BYMONTHDAY=${dates};BYSETPOS=-1`
}

/** The rules that a form offers for a task that is due on a day. */
export function rulesFor(day: string): string[] {
  const [, month = 1, date = 1] = day.split('-').map(Number)
  const weekday = weekdays[(new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7]
  const isLast = daysAfter(day, 1).endsWith('-01')
  return [
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    `FREQ=WEEKLY;BYDAY=${weekday}`,
    `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday}`,
    `FREQ=MONTHLY;${onDate(date)}`,
    ...(isLast ? ['FREQ=MONTHLY;BYMONTHDAY=-1'] : []),
    `FREQ=MONTHLY;BYDAY=${date > lastFixedDate ? -1 : Math.ceil(date / 7)}${weekday}`,
    `FREQ=YEARLY;BYMONTH=${month};${onDate(date)}`,
  ]
}

/** A rule without its end. */
export function withoutEnd(repeat: string): string {
  const rule = parseRule(repeat)
  if (!rule) return repeat
  const { count: _, until: __, ...endless } = rule
  return formatRule(endless)
}

/** A rule with another end. */
export function withEnd(repeat: string, end: Pick<RepeatRule, 'count' | 'until'>): string {
  const rule = parseRule(withoutEnd(repeat))
  return rule ? formatRule({ ...rule, ...end }) : repeat
}
