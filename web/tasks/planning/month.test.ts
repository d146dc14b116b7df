import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysAfter } from '#contract/days.ts'
import { dayAtKey, monthOf, monthsAfter, weeksAround } from './month.tsx'

const anyDay = fc.integer({ min: 0, max: 84_000 }).map((days) => daysAfter('1970-01-01', days))

describe('The calendar', () => {
  it('shows each day of a month once, in weeks that begin on the first day of the week', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 6 }), (day, weekStart) => {
        const weeks = weeksAround(monthOf(day), weekStart)
        const days = weeks.flat()
        expect(days.map((_, index) => daysAfter(days[0] as string, index))).toEqual(days)
        expect(weeks.map(([first]) => new Date(`${first}T00:00Z`).getUTCDay())).toEqual(
          Array(6).fill(weekStart),
        )
        expect(weeks[0]).toContain(monthOf(day))
        expect(days).toContain(day)
      }),
    )
  })

  it.each([
    ['2027-01-31', 1, '2027-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-11-26', -11, '2025-12-26'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2200-12-15', 1, '2200-12-31'],
    ['1970-01-15', -1, '1970-01-01'],
  ])('goes from %s by %i months to %s', (day, months, expected) => {
    expect(monthsAfter(day, months)).toBe(expected)
  })

  it.each([
    ['ArrowLeft', '2026-11-25'],
    ['ArrowRight', '2026-11-27'],
    ['ArrowUp', '2026-11-19'],
    ['ArrowDown', '2026-12-03'],
    ['Home', '2026-11-23'],
    ['End', '2026-11-29'],
    ['PageUp', '2026-10-26'],
    ['PageDown', '2026-12-26'],
    ['x', undefined],
  ])('goes from Thursday, 26 November 2026 by %s to %s', (key, expected) => {
    expect(dayAtKey(key, false, '2026-11-26', 1)).toBe(expected)
  })

  it('goes by Shift and Page Up or Page Down to the same day of another year', () => {
    expect(dayAtKey('PageUp', true, '2028-02-29', 1)).toBe('2027-02-28')
    expect(dayAtKey('PageDown', true, '2026-11-26', 1)).toBe('2027-11-26')
  })
})
