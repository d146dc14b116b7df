import { expect, test } from 'vitest'
import { parseRule, type RepeatRule } from '#contract/repeat-rules.ts'
import { nextDays, offeredEnd, withEnd } from './rule-choices.ts'

test.each([
  ['FREQ=DAILY', '2026-11-25', '2026-12-25'],
  ['FREQ=WEEKLY;BYDAY=WE', '2027-01-31', '2027-02-28'],
  ['FREQ=MONTHLY;BYMONTHDAY=15', '2026-11-25', '2027-11-25'],
  ['FREQ=YEARLY', '2028-02-29', '2033-02-28'],
  ['FREQ=YEARLY', '2199-11-25', '2200-12-31'],
])('%s from %s on ends on %s at first', (rule, day, end) => {
  expect(offeredEnd(parseRule(rule) as RepeatRule, day)).toBe(end)
})

test.each([
  ['FREQ=WEEKLY;BYDAY=MO,TH', 'due', ['2026-11-26', '2026-11-30', '2026-12-03']],
  ['FREQ=DAILY;COUNT=2', 'due', ['2026-11-25', '2026-11-26']],
  ['FREQ=DAILY;INTERVAL=3', 'done', ['2026-11-25', '2026-11-28', '2026-12-01']],
  ['FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1', 'done', ['2026-11-30', '2026-12-31', '2027-01-31']],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'due', []],
] as const)('the form shows the next days of %s, counted from %s', (rule, from, days) => {
  expect(nextDays(rule, from, '2026-11-25')).toEqual(days)
})

test('a month that counts from a completion on the 31st goes to the last day of the next', () => {
  expect(nextDays('FREQ=MONTHLY', 'done', '2027-01-31')).toEqual(['2027-01-31', '2027-02-28', '2027-03-28'])
  expect(nextDays('FREQ=MONTHLY', 'due', '2027-01-31')).toEqual(['2027-01-31', '2027-03-31', '2027-05-31'])
})

test('The days that the form shows of a moved task are its own day and those of its grid, also with another end', () => {
  const rule = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'
  const stored = { repeat: rule, repeatFrom: 'due', repeatDay: '2026-11-30', dueDate: '2026-12-02' } as const
  const shown = (repeat: string) => nextDays(repeat, 'due', stored.dueDate, stored)
  expect(shown(rule)).toEqual(['2026-12-02', '2026-12-14', '2026-12-28'])
  expect(shown(`${rule};COUNT=2`)).toEqual(['2026-12-02', '2026-12-14'])
  expect(shown('FREQ=WEEKLY;BYDAY=TU')).toEqual(['2026-12-08', '2026-12-15', '2026-12-22'])
})

test('Another rule that is chosen keeps the end of the rule before, and nothing else of it', () => {
  for (const end of ['', ';COUNT=10', ';UNTIL=20271231']) {
    const before = parseRule(`FREQ=WEEKLY;INTERVAL=2;BYDAY=TH${end}`) as RepeatRule
    expect(withEnd('FREQ=DAILY', before)).toBe(`FREQ=DAILY${end}`)
  }
})
