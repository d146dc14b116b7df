import { expect, test } from 'vitest'
import { ruleText } from './rule-text.ts'

test.each([
  ['FREQ=DAILY', 'Every day'],
  ['FREQ=DAILY;INTERVAL=3', 'Every 3 days'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
  ['FREQ=WEEKLY', 'Every week'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH', 'Every 2 weeks on Mon and Thu'],
  ['FREQ=MONTHLY;BYMONTHDAY=15', 'Every month on the 15th'],
  ['FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1', 'Every month on the 31st'],
  ['FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1', 'Every month on the 29th'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'Every month on the last day'],
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', 'Every month on the 1st and the 15th'],
  ['FREQ=MONTHLY;BYDAY=2TU', 'Every month on the second Tuesday'],
  ['FREQ=MONTHLY;BYDAY=-1FR', 'Every month on the last Friday'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'Every month on the last weekday'],
  ['FREQ=YEARLY', 'Every year'],
  ['FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3', 'Every year on the 3rd in March'],
  ['FREQ=DAILY;COUNT=10', 'Every day, 10 more times'],
  ['FREQ=DAILY;UNTIL=20261220', 'Every day, until Sun 20 Dec'],
  ['FREQ=DAILY;COUNT=1', 'Every day, 1 more time'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR', 'Every 2 weeks on weekdays'],
  ['FREQ=DAILY;INTERVAL=2;BYDAY=SA,SU', 'Every 2 days if it is Sat or Sun'],
  ['FREQ=WEEKLY;BYDAY=MO;BYMONTH=6,7,8', 'Every week on Mon in June, July, and August'],
  ['FREQ=MONTHLY;BYMONTHDAY=-2', 'Every month on the 2nd to last day'],
  ['FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', 'Every month on the 13th if it is Fri'],
  ['FREQ=YEARLY;BYDAY=20MO', 'Every year on the 20th Monday'],
  ['FREQ=HOURLY', 'FREQ=HOURLY'],
])('The rule %s reads "%s"', (rule, text) => {
  expect(ruleText(rule, 'due', { today: '2026-11-26', locale: 'en-GB' })).toBe(text)
})

test('A rule that counts from the completion says so', () => {
  expect(ruleText('FREQ=DAILY;INTERVAL=3', 'done', { today: '2026-11-26', locale: 'en-GB' })).toBe(
    'Every 3 days after completion',
  )
})
