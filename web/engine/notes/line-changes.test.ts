import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChanges, mapPosition, textChanges } from './line-changes.ts'

const text = fc
  .array(fc.constantFrom('', 'a', 'b', 'ab', 'abc', '- [ ] x', '\r'), { maxLength: 12 })
  .map((lines) => lines.join('\n'))

test('Applying the changes between two texts to the first yields the second', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applyChanges(before, textChanges(before, after))).toBe(after)
    }),
    { numRuns: 2000 },
  )
})

test('The changes between two texts are in order and do not overlap', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      let end = 0
      for (const { from, to } of textChanges(before, after)) {
        expect(from).toBeGreaterThanOrEqual(end)
        expect(to).toBeGreaterThanOrEqual(from)
        end = to
      }
    }),
  )
})

test('A caret keeps its place in its line while lines above and below it change', () => {
  const before = 'one\ntwo\nthree\nfour'
  const after = 'one and more\nnew\ntwo\nthree\n4'
  const caret = before.indexOf('three') + 2
  expect(mapPosition(caret, textChanges(before, after))).toBe(after.indexOf('three') + 2)
})

test('A caret at the end of a text stays there when text is inserted above it', () => {
  expect(mapPosition(3, textChanges('one', 'zero\none'))).toBe(8)
})

test('Texts without a common line are one change beyond the bound, and the result is the same', () => {
  const before = Array.from({ length: 20_000 }, (_, line) => `a${line}`).join('\n')
  const after = Array.from({ length: 20_000 }, (_, line) => `b${line}`).join('\n')
  const changes = textChanges(before, after)
  expect(changes).toHaveLength(1)
  expect(applyChanges(before, changes)).toBe(after)
})
