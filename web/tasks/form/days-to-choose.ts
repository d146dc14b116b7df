import { daysAfter } from '#contract/days.ts'
import { nextWeekday } from '#contract/words/calendar-days.ts'

/** The days to which a task is moved most: label, key, and the day. Next week begins on Monday. */
export const daysToChoose = (today: string) =>
  [
    { label: 'Today', key: 't', day: today },
    { label: 'Tomorrow', key: 'm', day: today && daysAfter(today, 1) },
    { label: 'Next week', key: 'w', day: today && nextWeekday(daysAfter(today, 1), 0) },
  ] as const

/** The choice of no day. */
export const noDay = { label: 'Someday', key: 's', day: null }
