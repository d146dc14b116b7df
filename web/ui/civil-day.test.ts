import { afterEach, expect, test, vi } from 'vitest'
import { timeHere, todayHere } from '#contract/days.ts'
import { dayOfInstant, format, formatDay, formatInstant, formatWeekday } from './civil-day.ts'
import { formatDayOfYear } from './day-headings.ts'

afterEach(() => void vi.unstubAllEnvs())

test.each(['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago'])('a civil day is the same day in %s', (zone) => {
  vi.stubEnv('TZ', zone)
  expect(formatDay('2026-11-21', '2026-11-21', 'en-GB')).toBe('Sat 21 Nov')
  expect(formatWeekday('2026-11-21', 'en-GB')).toBe('Saturday 21 November')
})

test('a civil day is written as the reader writes days', () => {
  expect(formatDay('2026-11-21', '2026-01-01', 'en-US')).toBe('Sat, Nov 21')
  expect(formatDay('2026-11-21', '2026-01-01', 'de')).toBe('Sa., 21. Nov.')
})

test('a civil day of another year is written with its year', () => {
  expect(formatDay('2027-01-01', '2026-12-31', 'en-GB')).toBe('Fri, 1 Jan 2027')
  expect(formatDay('2025-12-31', '2026-01-01', 'en-US')).toBe('Wed, Dec 31, 2025')
  expect(formatDay('2020-02-29', '2026-01-01', 'de-DE')).toBe('Sa., 29. Feb. 2020')
  expect(formatDay('2020-02-29', '2026-01-01', 'ar-EG')).toBe('السبت، 29 فبراير 2020')
})

test.each(['ar-EG', 'fa-IR', 'th-TH', 'mr-IN'])(
  'days are written with Latin digits in the Gregorian calendar in %s',
  (locale) => {
    const days = [
      formatDay('2027-11-21', '2026-11-21', locale),
      formatWeekday('2026-11-21', locale),
      formatInstant('2026-11-21T12:00:00.000Z', '2027-01-01', locale),
    ]
    for (const day of days) expect(day.match(/\p{Nd}+/gu)).toContain('21')
    expect(days[0]).toContain('2027')
  },
)

test('today is the day where the reader is', () => {
  const instant = new Date('2026-11-21T10:30:00Z')
  vi.stubEnv('TZ', 'Pacific/Kiritimati')
  expect(todayHere(instant)).toBe('2026-11-22')
  vi.stubEnv('TZ', 'Pacific/Pago_Pago')
  expect(todayHere(instant)).toBe('2026-11-20')
})

test('an instant is on the day that it was where the reader is', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  expect(formatInstant('2026-11-20T20:00:00.000Z', '2026-12-01', 'en-GB')).toBe('21 Nov')
  expect(formatInstant('2026-11-20T20:00:00.000Z', '2027-01-01', 'en-GB')).toBe('21 Nov 2026')
  expect(formatInstant('2026-12-31T20:00:00.000Z', '2027-01-01', 'en-GB')).toBe('1 Jan')
  expect(dayOfInstant('2026-11-20T20:00:00.000Z')).toBe('2026-11-21')
})

test('a day of another year is written with its year', () => {
  expect(formatDayOfYear('2026-01-02', '2026-11-21', 'en-GB')).toBe('Friday 2 January')
  expect(formatDayOfYear('2025-12-31', '2026-11-21', 'en-GB')).toBe('Wednesday, 31 December 2025')
})

test('after a flight, instants are shown on the clock of the new zone', () => {
  const time = () => format('2026-11-20T20:00:00.000Z', 'en-GB', { timeStyle: 'short' })
  const day = () => formatInstant('2026-11-20T20:00:00.000Z', '2026-12-01', 'en-GB')
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect([day(), time()]).toEqual(['20 Nov', '21:00'])
  vi.stubEnv('TZ', 'Asia/Tokyo')
  expect([day(), time()]).toEqual(['21 Nov', '05:00'])
})

test('the clock shows the hour that does not exist never, and the hour that exists twice two times', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const clockAt = (...instants: string[]) => instants.map((instant) => timeHere(new Date(instant)))
  expect(clockAt('2026-03-29T00:59Z', '2026-03-29T01:00Z')).toEqual(['01:59', '03:00'])
  expect(clockAt('2026-10-25T00:30Z', '2026-10-25T01:30Z')).toEqual(['02:30', '02:30'])
  expect(clockAt('2026-10-25T00:59Z', '2026-10-25T01:00Z')).toEqual(['02:59', '02:00'])
})
