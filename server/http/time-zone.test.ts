import { expect, onTestFinished, test, vi } from 'vitest'
import { todayIn } from './time-zone.ts'

test('the current day of a time zone changes at its midnight, also after it was asked for', () => {
  onTestFinished(() => void vi.useRealTimers())
  for (const [now, day] of [
    ['2026-11-23T23:59:59.999+01:00', '2026-11-23'],
    ['2026-11-24T00:00+01:00', '2026-11-24'],
    ['2026-11-24T23:59+01:00', '2026-11-24'],
    ['2026-11-25T00:00+01:00', '2026-11-25'],
  ] as const) {
    vi.useFakeTimers({ toFake: ['Date', 'Temporal'], now: new Date(now) })
    expect(todayIn('Europe/Berlin')).toBe(day)
  }
})
