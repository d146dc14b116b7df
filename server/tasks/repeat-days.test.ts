import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { describe, expect, test } from 'vitest'
import { dueDates, repeatLimits } from '#contract/limits.ts'
import { daysBetween, firstDay, isOnGrid, isTooSparse, nextDay } from '#contract/repeat-days.ts'
import { formatRule, parseRule, type RepeatRule, weekdays } from '#contract/repeat-rules.ts'
import { rounds } from '../testing/rounds.ts'

const dayLength = 86_400_000

const rule = (text: string) => parseRule(text) as RepeatRule

/** The first days of a rule from one of its days on. */
function daysFrom(text: string, start: string, count: number) {
  const days = [start]
  while (days.length < count) {
    const next = nextDay(rule(text), start, days.at(-1) as string)
    if (next === undefined) break
    days.push(next)
  }
  return days
}

describe('the days of a repeat', () => {
  test.each([
    ['FREQ=DAILY;INTERVAL=3', '2026-11-26', ['2026-11-29', '2026-12-02', '2026-12-05']],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2026-11-26', ['2026-11-27', '2026-11-30', '2026-12-01']],
    ['FREQ=WEEKLY', '2026-11-26', ['2026-12-03', '2026-12-10', '2026-12-17']],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH', '2026-11-26', ['2026-12-07', '2026-12-10', '2026-12-21']],
    // With weeks that begin on Sunday, the Sunday is in the week of the Thursday after it.
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TH', '2026-11-26', ['2026-11-29', '2026-12-10', '2026-12-13']],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TH;WKST=SU', '2026-11-26', ['2026-12-06', '2026-12-10', '2026-12-20']],
    ['FREQ=MONTHLY;BYDAY=2TU', '2026-11-10', ['2026-12-08', '2027-01-12', '2027-02-09']],
    ['FREQ=MONTHLY;BYDAY=-1FR', '2026-11-27', ['2026-12-25', '2027-01-29', '2027-02-26']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2026-11-30', ['2026-12-31', '2027-01-31', '2027-02-28']],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      '2026-11-30',
      ['2026-12-31', '2027-01-29', '2027-02-26'],
    ],
    ['FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1,15', '2026-11-15', ['2027-02-01', '2027-02-15', '2027-05-01']],
    ['FREQ=YEARLY', '2026-11-26', ['2027-11-26', '2028-11-26', '2029-11-26']],
    ['FREQ=YEARLY;BYDAY=-1MO', '2026-12-28', ['2027-12-27', '2028-12-25', '2029-12-31']],
    ['FREQ=DAILY;UNTIL=20261128', '2026-11-26', ['2026-11-27', '2026-11-28']],
  ])('%s from %s on', (text, start, expected) => {
    expect(daysFrom(text, start, 4).slice(1)).toEqual(expected)
  })

  const expectDays = (text: string, start: string, ...days: string[]) =>
    expect(daysFrom(text, start, days.length + 1)).toEqual([start, ...days])

  test('the 31st does not drift: shorter months have their last day, and the next long one has its 31st', () => {
    const of31 = 'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1'
    expectDays(of31, '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31')
    expectDays('FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1', '2028-01-30', '2028-02-29', '2028-03-30')
  })

  test('29 February is 28 February in other years, if the rule says so, and else waits for the next leap year', () => {
    const last = 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1'
    expectDays(last, '2096-02-29', ...['2097', '2098', '2099', '2100', '2101'].map((year) => `${year}-02-28`))
    expectDays('FREQ=YEARLY', '2096-02-29', '2104-02-29', '2108-02-29')
  })

  test('the 31st as given skips short months', () => {
    expectDays('FREQ=MONTHLY;BYMONTHDAY=31', '2027-01-31', '2027-03-31', '2027-05-31')
    expectDays('FREQ=MONTHLY', '2027-01-31', '2027-03-31')
  })

  test('the interval counts from the grid, however many days were missed', () => {
    const alternating = rule('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO')
    expect(nextDay(alternating, '2026-11-02', '2026-11-23')).toBe('2026-11-30')
    expect(nextDay(alternating, '2026-11-09', '2026-11-23')).toBe('2026-12-07')
    expect(nextDay(rule('FREQ=DAILY;INTERVAL=3'), '1970-01-01', '2200-01-01')).toBe('2200-01-04')
  })

  test('the first day is the first one on or after the due date that fits, whatever the interval', () => {
    expect(firstDay(rule('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO'), '2026-11-26')).toBe('2026-11-30')
    expect(firstDay(rule('FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1'), '2026-11-26')).toBe('2026-12-01')
    expect(firstDay(rule('FREQ=MONTHLY;INTERVAL=3'), '2026-11-26')).toBe('2026-11-26')
  })

  test('a rule has no first day if it never occurs, or only after its last day or after more than 1,000 steps', () => {
    for (const text of [
      ...['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31'],
      ...['FREQ=YEARLY;BYDAY=53MO;BYSETPOS=1;UNTIL=20271231', 'FREQ=DAILY;UNTIL=20261125'],
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
    ])
      expect([text, firstDay(rule(text), '2026-11-26')]).toEqual([text, undefined])
    expect(nextDay(rule('FREQ=DAILY'), dueDates.max, dueDates.max)).toBeUndefined()
    expect(isTooSparse(rule('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29'), '2028-02-29')).toBe(true)
    expect(isTooSparse(rule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'), '2028-02-29')).toBe(false)
    expect(isTooSparse(rule('FREQ=DAILY;UNTIL=20261126'), '2026-11-26')).toBe(false)
  })

  test('only the days of the grid are on it, and they are counted', () => {
    const [text, start] = ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH', '2026-11-26'] as const
    expect(isOnGrid(rule(text), start, '2026-12-07')).toBe(true)
    expect(isOnGrid(rule(text), start, '2026-11-23')).toBe(true)
    expect(isOnGrid(rule(text), start, '2026-12-03')).toBe(false)
    expect(daysBetween(rule(text), start, start, '2026-12-21')).toBe(3)
  })
})

describe('the text of a rule', () => {
  test.each([
    ...['', 'FREQ', 'FREQ=', 'FREQ=HOURLY', 'FREQ=DAILY;', 'INTERVAL=2', 'FREQ=DAILY;FREQ=DAILY'],
    ...['FREQ=DAILY;BYHOUR=9', 'FREQ=YEARLY;BYWEEKNO=1', 'FREQ=YEARLY;BYYEARDAY=1', 'RRULE:FREQ=DAILY'],
    ...['FREQ=DAILY;INTERVAL=0', 'FREQ=DAILY;INTERVAL=1001', 'FREQ=DAILY;INTERVAL=1,2'],
    'FREQ=DAILY;INTERVAL=1.5',
    ...['FREQ=DAILY;COUNT=0', 'FREQ=DAILY;COUNT=1001', 'FREQ=DAILY;COUNT=2;UNTIL=20261231'],
    ...['FREQ=DAILY;UNTIL=20261231T000000Z', 'FREQ=DAILY;UNTIL=20260231', 'FREQ=DAILY;UNTIL=22010101'],
    ...['FREQ=WEEKLY;BYDAY=2MO', 'FREQ=DAILY;BYDAY=2MO', 'FREQ=MONTHLY;BYDAY=0MO', 'FREQ=MONTHLY;BYDAY=54MO'],
    ...['FREQ=MONTHLY;BYDAY=MO,MO', 'FREQ=MONTHLY;BYDAY=', 'FREQ=MONTHLY;BYDAY=MO,XX'],
    'FREQ=WEEKLY;BYMONTHDAY=1',
    ...['FREQ=MONTHLY;BYMONTHDAY=32', 'FREQ=MONTHLY;BYMONTHDAY=0', 'FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=1MO'],
    ...['FREQ=YEARLY;BYMONTH=13', 'FREQ=YEARLY;BYMONTH=-1', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2'],
    'FREQ=DAILY;BYSETPOS=1',
    ...['FREQ=DAILY;INTERVAL=-1', 'FREQ=DAILY;INTERVAL=1e3', 'FREQ=DAILY;COUNT=-1'],
    ...['FREQ==DAILY', 'FREQ=daily', 'freq=daily'],
    ...['DTSTART=20261121;FREQ=DAILY', 'DTSTART:20261121\nRRULE:FREQ=DAILY', 'FREQ=DAILY\nDTSTART:20261121'],
    ...['FREQ=DAILY\n', 'FREQ=DAILY\r\nATTENDEE:mailto:a@example.org', 'FREQ=DAILY\u0000', 'ＦＲＥＱ=DAILY'],
    ...['FREQ=DAILY;INTERVAL=２', 'FREQ=DAILY; INTERVAL=2', ' FREQ=DAILY', 'every day'],
    ...["FREQ=DAILY'; drop table tasks; --", `FREQ=WEEKLY;BYDAY=${Array(5000).fill('MO').join()}`],
    `FREQ=DAILY;${'X'.repeat(100_000)}=1`,
    ...['FREQ=DAILY;WKST=1MO', 'FREQ=DAILY;WKST=XX', `FREQ=DAILY;BYDAY=MO${',TU'.repeat(100)}`],
  ])('%j is no rule', (text) => {
    expect(parseRule(text)).toBeUndefined()
  })

  test('a rule is written as it was read, with its parts in one order and without its defaults', () => {
    const text = 'WKST=SU;COUNT=10;BYSETPOS=-1;BYDAY=+2TU,-1FR;BYMONTH=3,6;INTERVAL=1;FREQ=YEARLY'
    expect(formatRule(rule(text))).toBe('FREQ=YEARLY;BYMONTH=3,6;BYDAY=2TU,-1FR;BYSETPOS=-1;COUNT=10;WKST=SU')
    fc.assert(
      fc.property(rules, (given) => {
        expect(parseRule(formatRule(given))).toEqual(given)
      }),
    )
  })
})

const list = (min: number, max: number, maxLength: number) =>
  fc.uniqueArray(
    fc.integer({ min, max }).filter((number) => number !== 0),
    { maxLength },
  )

const weekday = fc.integer({ min: 0, max: 6 })
const ordinal = fc.integer({ min: -5, max: 5 }).filter((number) => number !== 0)
const comparator = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

/** Any rule that is allowed, without COUNT. */
const rules: fc.Arbitrary<RepeatRule> = fc
  .record({
    freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    interval: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 12 })),
    byMonth: fc.oneof(fc.constant([]), list(1, 12, 4)),
    byMonthDay: fc.oneof(fc.constant([]), list(-31, 31, 4)),
    byDay: fc.oneof(
      fc.constant([]),
      fc.uniqueArray(fc.record({ weekday }), { comparator }),
      fc.uniqueArray(fc.record({ weekday, ordinal }), { maxLength: 3, comparator }),
    ),
    bySetPos: fc.constantFrom(undefined, 1, -1),
    until: fc.constantFrom(undefined, undefined, '2027-06-30'),
    weekStart: weekday,
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)))
  .filter((given) => parseRule(formatRule(given as RepeatRule)) !== undefined) as fc.Arbitrary<RepeatRule>

const starts = fc
  .integer({ min: Date.UTC(2024, 0, 1) / dayLength, max: Date.UTC(2030, 0, 1) / dayLength })
  .map((number) => new Date(number * dayLength).toISOString().slice(0, 10))

test('the days of any rule are those that rrule-temporal finds', () => {
  fc.assert(
    fc.property(rules, starts, (given, day) => {
      const start = firstDay(given, day)
      if (start === undefined) return
      const { until, ...endless } = given
      const parts = [formatRule(endless), `WKST=${weekdays[given.weekStart]}`]
      const text = given.weekStart === 0 ? parts.join(';') : parts[0]
      const end = until === undefined ? '' : `;UNTIL=${until.replaceAll('-', '')}T000000Z`
      const oracle = new RRuleTemporal({
        rruleString: `DTSTART:${start.replaceAll('-', '')}T000000Z\nRRULE:${text}${end}`,
        maxIterations: 20_000,
      })
      const expected = oracle
        .all((_, index) => index < 4)
        .slice(0, 4)
        .map((each) => each.toPlainDate().toString())
        .filter((each) => each <= dueDates.max)
      // Only days are so short that a step can be missing: the limit of steps ends the grid. The first step is the day after the last.
      const steps = repeatLimits.steps * given.interval + Number(given.interval === 1)
      const longest = given.freq === 'DAILY' ? steps * dayLength : Number.POSITIVE_INFINITY
      const gap = expected.findIndex(
        (each, index) => Date.parse(each) - Date.parse(expected[index - 1] ?? each) > longest,
      )
      if (gap > 0) expected.length = gap
      expect(daysFrom(formatRule(given), start, 4), formatRule(given)).toEqual(expected)
    }),
    { numRuns: rounds(100_000, 2000) },
  )
})
