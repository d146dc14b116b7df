import { afterEach, expect, test } from 'vitest'
import { formatDay, formatInstant, formatWeekday, todayHere } from './civil-day.ts'

const machineZone = process.env.TZ

afterEach(() => {
  if (machineZone === undefined) delete process.env.TZ
  else process.env.TZ = machineZone
})

test.each(['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago'])('a civil day is the same day in %s', (zone) => {
  process.env.TZ = zone
  expect(formatDay('2026-11-21', 'en-GB')).toBe('21 Nov 2026')
  expect(formatWeekday('2026-11-21', 'en-GB')).toBe('Saturday 21 November')
})

test('a civil day is written as the reader writes days', () => {
  expect(formatDay('2026-11-21', 'en-US')).toBe('Nov 21, 2026')
  expect(formatDay('2026-11-21', 'de')).toBe('21.11.2026')
})

test('today is the day where the reader is', () => {
  const instant = new Date('2026-11-21T10:30:00Z')
  process.env.TZ = 'Pacific/Kiritimati'
  expect(todayHere(instant)).toBe('2026-11-22')
  process.env.TZ = 'Pacific/Pago_Pago'
  expect(todayHere(instant)).toBe('2026-11-20')
})

test('an instant is on the day that it was where the reader is', () => {
  process.env.TZ = 'Asia/Tokyo'
  expect(formatInstant('2026-11-20T20:00:00.000Z', 'en-GB')).toBe('21 Nov 2026')
})
