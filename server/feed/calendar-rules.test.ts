import { expect, test } from 'vitest'
import { parseRule } from '#contract/repeat-rules.ts'
import { firstRepeatDay, laterDays } from '#contract/repeats.ts'
import { calendarRules } from './calendar-rules.ts'

/** Rules of forms and words, and some that only other programs write. */
const rules = [
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=SU',
  ...['FREQ=MONTHLY', 'FREQ=MONTHLY;BYMONTHDAY=-1', 'FREQ=MONTHLY;BYDAY=2TU', 'FREQ=MONTHLY;BYDAY=-1FR'],
  ...['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'FREQ=YEARLY', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'],
  ...['28,29,30,31', '28,29,30', '28,29', '28', '31,30,29,28'].flatMap((dates) =>
    ['', ';INTERVAL=3', ';BYMONTH=2', ';BYMONTH=1,2,6', ';BYMONTH=4,9'].map(
      (more) => `FREQ=MONTHLY${more};BYMONTHDAY=${dates};BYSETPOS=-1`,
    ),
  ),
  ...['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1', 'FREQ=YEARLY;BYMONTHDAY=28,29;BYSETPOS=-1'],
]

test('the rules of a calendar have the days of the repeat, for ten years and up to its end, none of them twice', () => {
  const last = '2036-12-31'
  const daysOf = (repeat: string, day: string) => [
    day,
    ...laterDays({ repeat, dueDate: day, repeatDay: day, repeatFrom: 'due' }, day, last),
  ]
  for (const rule of rules)
    for (const end of ['', ';COUNT=1', ';COUNT=9', ';UNTIL=20280229'])
      for (const from of ['2026-01-01', '2026-02-28', '2027-11-30', '2028-02-29']) {
        const repeat = `${rule}${end}`
        const day = firstRepeatDay(repeat, from)
        if (day === undefined) continue
        const found = calendarRules({ repeat, dueDate: day, repeatDay: day, repeatFrom: 'due' })
        const days = found.flatMap((part) => daysOf(part.rule, part.day)).sort()
        expect([repeat, from, days]).toEqual([repeat, from, daysOf(repeat, day)])
        expect(new Set(found.map(({ name }) => name)).size).toBe(found.length)
      }
})

test('no rule of a calendar has BYSETPOS among dates of months, which programs read differently', () => {
  for (const rule of rules.filter((each) => each.startsWith('FREQ=MONTHLY') && each.includes('28,29'))) {
    const day = firstRepeatDay(rule, '2026-01-01') as string
    const found = calendarRules({ repeat: rule, dueDate: day, repeatDay: day, repeatFrom: 'due' })
    expect(found.map((each) => parseRule(each.rule)?.bySetPos)).toEqual(found.map(() => undefined))
  }
})
