import { expect, test } from 'vitest'
import { isUuid } from '#contract/formats.ts'
import {
  comingDays,
  derivedRepeat,
  nextId,
  nextRepeat,
  type Repeat,
  repeatMovedTo,
  skippedRepeat,
  withOpenBoxes,
} from '#contract/repeats.ts'

const due = (repeat: string, repeatDay: string, dueDate = repeatDay): Repeat => ({
  ...{ repeat, repeatDay, dueDate, repeatFrom: 'due' },
})
const done = (repeat: string, repeatDay: string): Repeat => ({
  ...due(repeat, repeatDay),
  repeatFrom: 'done',
})
const dayAfter = (task: Repeat, day: string) => nextRepeat(task, day)?.dueDate

const fortnightly = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR'

test.each([
  ['is never in the past', due('FREQ=DAILY', '2026-11-01'), '2026-11-26', '2026-11-27'],
  ['is never in the past', due('FREQ=WEEKLY;BYDAY=MO', '2026-10-05'), '2026-11-26', '2026-11-30'],
  ['is after its own if it is early', due('FREQ=WEEKLY;BYDAY=FR', '2026-11-27'), '2026-11-25', '2026-12-04'],
  ['stays on its grid', due('FREQ=WEEKLY;BYDAY=FR', '2026-11-27', '2026-11-29'), '2026-11-29', '2026-12-04'],
  ['stays on its grid', due(fortnightly, '2026-11-27', '2026-12-02'), '2026-12-02', '2026-12-11'],
] as const)('the next day of a task %s: of %j, completed on %s, it is %s', (_, task, completed, next) => {
  expect(dayAfter(task, completed)).toBe(next)
})

test('from completion, the interval counts from the day on which the task was completed', () => {
  expect(dayAfter(done('FREQ=DAILY;INTERVAL=3', '2026-11-01'), '2026-11-26')).toBe('2026-11-29')
  expect(dayAfter(done('FREQ=DAILY;INTERVAL=3', '2026-11-30'), '2026-11-26')).toBe('2026-11-29')
  expect(dayAfter(done('FREQ=WEEKLY;INTERVAL=2', '2026-11-01'), '2026-11-26')).toBe('2026-12-10')
  expect(dayAfter(done('FREQ=MONTHLY', '2027-01-01'), '2027-01-31')).toBe('2027-02-28')
  expect(dayAfter(done('FREQ=YEARLY', '2028-01-01'), '2028-02-29')).toBe('2029-02-28')
})

test('COUNT counts down, missed days use it up, and the last occurrence has no next one', () => {
  for (const [count, day, left] of [
    [10, '2026-11-01', 'FREQ=DAILY;COUNT=9'],
    [10, '2026-11-04', 'FREQ=DAILY;COUNT=6'],
    [10, '2026-11-10', undefined],
    [1, '2026-11-01', undefined],
  ] as const)
    expect(nextRepeat(due(`FREQ=DAILY;COUNT=${count}`, '2026-11-01'), day)?.repeat).toBe(left)
  const next = nextRepeat(done('FREQ=DAILY;COUNT=2', '2026-11-01'), '2026-11-26')
  expect(next?.repeat).toBe('FREQ=DAILY;COUNT=1')
})

test('a skipped task goes to the next day of its grid, in the past too', () => {
  expect(skippedRepeat(done('FREQ=DAILY;COUNT=3', '2026-11-01'))).toMatchObject({
    ...{ dueDate: '2026-11-02', repeatDay: '2026-11-02', repeat: 'FREQ=DAILY;COUNT=2', repeatFrom: 'done' },
  })
})

test('a task moves to other days of its grid alone, with the occurrences that are left there', () => {
  const task = due('FREQ=WEEKLY;BYDAY=MO,TH;COUNT=5', '2026-11-26')
  expect(repeatMovedTo(task, '2026-12-03')).toBe('FREQ=WEEKLY;BYDAY=MO,TH;COUNT=3')
  expect(repeatMovedTo(task, '2026-11-23')).toBe('FREQ=WEEKLY;BYDAY=MO,TH;COUNT=6')
  expect(repeatMovedTo(task, '2026-12-04')).toBeUndefined()
  expect(repeatMovedTo(task, '2026-12-14')).toBeUndefined()
})

test('another end of a rule keeps the day of a task that was moved, unless the end is before it or the task moves too', () => {
  const rule = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'
  const moved = due(rule, '2026-11-30', '2026-12-02')
  const dayOf = (repeat: string, dueDate = moved.dueDate) =>
    derivedRepeat({ ...moved, repeat, dueDate }, moved)
  for (const repeat of [`${rule};COUNT=5`, `${rule};UNTIL=20261201`, 'INTERVAL=2;BYDAY=MO;FREQ=WEEKLY'])
    expect(dayOf(repeat)).toEqual({ repeat, repeatDay: '2026-11-30' })
  expect(dayOf(`${rule};UNTIL=20261129`)).toBe('never-occurs')
  expect(dayOf(`${rule};COUNT=5`, '2026-12-01')).toMatchObject({ repeatDay: '2026-12-07' })
  expect(dayOf('FREQ=WEEKLY;INTERVAL=3;BYDAY=MO')).toMatchObject({ repeatDay: '2026-12-07' })
})

test('the boxes of the next body are open, and nothing else of it changes', () => {
  const boxes = '- [ ] one\n  1. [ ] two\n- [ ] three\n[x] four\n- [x]five'
  expect(withOpenBoxes('- [x] one\n  1. [X] two\n- [ ] three\n[x] four\n- [x]five')).toBe(boxes)
  const quoted = '> - [ ] one\r\n> ```\n> - [x] code\n- [ ] two'
  expect(withOpenBoxes('> - [x] one\r\n> ```\n> - [x] code\n- [x] two')).toBe(quoted)
  const code = '~~~ sh\n- [x] code\n```\n- [x] code\n~~~~\n'
  expect(withOpenBoxes(`${code}- [x] one`)).toBe(`${code}- [ ] one`)
})

test('the id of the next occurrence depends on the series and the completed one alone', () => {
  const [series, other] = ['01a1fbec-df28-741d-85d9-08c2d1fcac18', '01a1fbec-e0c4-7d05-9f1e-3a7c52d8b640']
  const ids = [nextId(series, series), nextId(series, other), nextId(other, series)]
  expect(ids.every(isUuid)).toBe(true)
  expect(new Set(ids).size).toBe(3)
  expect(nextId(series, series)).toBe(ids[0])
})

test('a task comes again on the days of its grid after both today and its own day', () => {
  const coming = (task: Repeat) => comingDays(task, '2026-11-26', '2026-12-31')
  expect(coming(due('FREQ=WEEKLY', '2026-12-04'))).toEqual(['2026-12-11', '2026-12-18', '2026-12-25'])
  expect(coming(due('FREQ=WEEKLY;INTERVAL=2', '2026-10-01'))).toEqual(['2026-12-10', '2026-12-24'])
  expect(coming(due('FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1', '2026-11-30'))).toEqual(['2026-12-31'])
  expect(coming(due('FREQ=DAILY', '2027-01-01'))).toEqual([])
})

test('a task does not come again on the day to which it was moved, after its last time, or on days that its completion decides', () => {
  const coming = (task: Repeat) => comingDays(task, '2026-11-26', '2026-12-31')
  expect(coming(due('FREQ=WEEKLY', '2026-11-27', '2026-12-04'))[0]).toBe('2026-12-11')
  expect(coming(due('FREQ=DAILY;COUNT=5', '2026-11-24'))).toEqual(['2026-11-27', '2026-11-28'])
  expect(coming(due('FREQ=DAILY;UNTIL=20261128', '2026-11-27'))).toEqual(['2026-11-28'])
  expect(coming(done('FREQ=DAILY', '2026-11-26'))).toEqual([])
})

test('the first day on which a task comes again is that of the next one, if it is completed today or on its own day', () => {
  for (const rule of ['FREQ=DAILY;INTERVAL=3', 'FREQ=WEEKLY;BYDAY=MO,TH', 'FREQ=DAILY;COUNT=4'])
    for (const own of ['2026-11-20', '2026-11-26', '2026-11-30']) {
      const task = due(rule, own)
      expect(comingDays(task, '2026-11-26', '2026-12-31')[0]).toBe(dayAfter(task, '2026-11-26') ?? undefined)
    }
})
