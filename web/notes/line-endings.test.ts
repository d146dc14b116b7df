import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownText, storedText } from './line-endings.ts'

const text = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r'), { maxLength: 20 })
  .map((parts) => parts.join(''))

test('A text that was not edited keeps its line breaks', () => {
  fc.assert(
    fc.property(text, (stored) => {
      expect(storedText(stored, shownText(stored))).toBe(stored)
    }),
  )
})

test('A text that is stored after an edit is shown as it was edited', () => {
  fc.assert(
    fc.property(text, text, (stored, edited) => {
      const shown = shownText(edited)
      expect(shownText(storedText(stored, shown))).toBe(shown)
    }),
    { numRuns: 2000 },
  )
})

test('A new line gets the line break of the text, and the others keep theirs', () => {
  expect(storedText('one\r\ntwo\nthree', 'one\nnew\ntwo\nthree')).toBe('one\r\nnew\r\ntwo\nthree')
  expect(storedText('one', 'one\ntwo')).toBe('one\ntwo')
})
