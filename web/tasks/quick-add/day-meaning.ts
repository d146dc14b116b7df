import { daysAfter } from '#contract/days.ts'
import type { DueMark, Mark, When } from '#contract/words/task-text.ts'
import { type DayContext, formatDay, formatTime } from '../../ui/civil-day.ts'
import { reminderText } from '../reminders/reminder-text.ts'
import { ruleText } from '../repeat/rule-text.ts'
// Chips without it can be used, and the first load has no space for it.
import './line-tools.css'

/** What a chip says of words that name a day or a reminder. */
export const dayMeaning = (mark: DayMark, { today, locale }: DayContext) =>
  mark.field === 'dueDate'
    ? dueOf(mark, today, locale)
    : `Reminder: ${reminderText(mark.value, { today, locale })}${assumptionsOf(mark.assumed)}`

export type DayMark = Exclude<Mark, { field: 'priority' }>

const assumptions = {
  tomorrow: 'already over today',
  afternoon: 'afternoon assumed',
  midnight: 'the start of the day',
}

function dueOf(mark: DueMark, today: string, locale: string): string {
  const { value, time, assumed, repeat, repeatFrom = 'due' } = mark
  if (value === null) return 'No date'
  const due = [`Due ${nameOf(value, today, locale)}`, time ? formatTime(time, locale) : []].flat().join(', ')
  const rule = repeat ? ` · ${ruleText(repeat, repeatFrom, { today, locale })}` : ''
  return due + assumptionsOf(assumed) + rule
}

const assumptionsOf = (assumed: When['assumed'] = []) =>
  assumed.length > 0 ? ` (${assumed.map((each) => assumptions[each]).join(', ')})` : ''

function nameOf(day: string, today: string, locale: string): string {
  if (day === today) return 'today'
  return today && day === daysAfter(today, 1) ? 'tomorrow' : formatDay(day, today, locale)
}
