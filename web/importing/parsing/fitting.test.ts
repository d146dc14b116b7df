import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodyLength } from '#contract/limits.ts'
import { isTag, tagsIn } from '#contract/tags.ts'
import { instantOf, wallClockOf } from '#contract/zone-clock.ts'
import { treesOf } from './build-import.ts'
import { instantIn } from './days.ts'
import { piecesOf, roomForTags, tagOf, withTags } from './fitted-text.ts'

test('names of lists and labels become tags', () => {
  const tags = {
    ...{ Home: '#Home', 'big work': '#big-work', 'Work / Plans': '#Work/Plans', 2026: '#list-2026' },
    ...{ 'C++': '#C', '#old': '#old', 'Über uns': '#Über-uns', '🏠 House': '#House' },
    ...{ '  ': undefined, '!!': undefined },
  }
  for (const [name, tag] of Object.entries(tags)) expect(tagOf(name)).toBe(tag)
})

test('any name becomes a tag that is found in the text, and a text with its tags fits', () => {
  const name = fc.string({ unit: 'binary', maxLength: 150 })
  fc.assert(
    fc.property(fc.array(name, { maxLength: 40 }), fc.string({ unit: 'binary' }), (names, start) => {
      const tags = names.flatMap((each) => tagOf(each) ?? [])
      expect(tags.every(isTag)).toBe(true)
      const found = tagsIn(withTags('', tags)).map(({ text }) => text)
      for (const tag of found) expect(tags).toContain(tag)
      const text = start.padEnd(bodyLength.max - roomForTags, 'x')
      expect(withTags(text, tags).length).toBeLessThanOrEqual(bodyLength.max)
      const some = tags.slice(0, 10)
      expect(withTags(withTags('x', some), some)).toBe(withTags('x', some))
    }),
  )
})

test('pieces of a text are the whole text, and none is too long', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀'), maxLength: 200 })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 50 }), (whole, max) => {
      const pieces = piecesOf(whole, max)
      expect(pieces.join('')).toBe(whole)
      for (const piece of pieces) expect([...piece].length).toBeLessThanOrEqual(max)
    }),
  )
})

test('a wall clock and its instant are the same in every zone, also where the clock changes', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'America/Santiago']
  const zone = fc.constantFrom(...zones)
  const minutes = fc.integer({ min: 0, max: 40 * 366 * 1440 })
  fc.assert(
    fc.property(zone, minutes, (there, minute) => {
      const { day, time } = wallClockOf(Date.UTC(1990, 0) + minute * 60_000, there)
      expect(wallClockOf(instantOf(day, time, there), there)).toEqual({ day, time })
    }),
  )
  const at = (text: string) => new Date(instantIn(text, 'Europe/Berlin') ?? 0).toISOString().slice(0, 16)
  expect(at('2026-03-29 02:30')).toBe('2026-03-29T01:30')
  expect(at('2026-10-25T02:30:00')).toBe('2026-10-25T00:30')
  expect(at('20261101T100000Z')).toBe('2026-11-01T10:00')
  expect(at('2018-12-11T23:00:00+0000')).toBe('2018-12-11T23:00')
})

test('every item of a file is in one tree, also if items are parts of each other', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const item = fc.record({ key: name, parent: fc.option(name, { nil: undefined }) })
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), (items) => {
      const placed = treesOf(items).flatMap(({ root, parts }) => [root, ...parts.map(({ item }) => item)])
      expect(placed).toHaveLength(items.length)
      expect(new Set(placed)).toEqual(new Set(items))
    }),
  )
})
