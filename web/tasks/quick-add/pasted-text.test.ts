import { expect, test } from 'vitest'
import { isTableOrNested, pastedLines } from './pasted-text.ts'

test('Several pasted lines are tasks without the marks of a list, or one task with the others as they are', () => {
  const { lines, body, isOneOnly } = pastedLines('Garden\r\n\r\n- [ ] Sow !high\n* [x] Mow\n')
  expect(lines.map(({ text, isDone }) => [text, isDone])).toEqual([
    ['Garden', false],
    ['Sow !high', false],
    ['Mow', true],
  ])
  expect(body).toBe('- [ ] Sow !high\n* [x] Mow')
  expect(isOneOnly).toBe(false)
})

test.each([
  ['1. Sow\n2. [x] Mow\n3) Rake', ['Sow', 'Mow', 'Rake']],
  ['Garden\n1. Sow\n1. Mow', ['Garden', 'Sow', 'Mow']],
  ['Candles\n3. Advent', ['Candles', '3. Advent']],
  ['1. Mai\nWalk', ['1. Mai', 'Walk']],
  ['6. Dezember\n24. Dezember', ['6. Dezember', '24. Dezember']],
  ['1. Advent\n2. Advent', ['1. Advent', '2. Advent']],
  ['- 3. Advent\n- 2026. A year', ['3. Advent', '2026. A year']],
  ['[X]', ['[X]']],
])('Numbers of pasted lines are marks only where they count a list: %j', (text, titles) => {
  expect(pastedLines(text).lines.map(({ text }) => text)).toEqual(titles)
})

test('Lines that are no titles, or too many, become one task', () => {
  expect(pastedLines(`a\n${'b'.repeat(5000)}`).isOneOnly).toBe(true)
  expect(pastedLines('a\n'.repeat(2000)).isOneOnly).toBe(false)
  expect(pastedLines('a\n'.repeat(2001)).isOneOnly).toBe(true)
})

test.each([
  ['Title\tDue\nSow\t3/4/2027', true],
  ['Sow\t"two\nlines"\r\nMow\t\r\n', true],
  ['- Garden\n  - [ ] Sow\n  - [x] Mow', true],
  ['# Garden\n1. Sow\n\t1. Peas', true],
  ['- Sow\n- Mow', false],
  ['# Garden\n- Sow\n- Mow', false],
  ['Garden\n- Sow\n  - Peas', false],
  ['Sow\nMow\tthe lawn', false],
  ['  - Sow\n- Mow', false],
])('A table and a list with lists inside are for the preview, plain lines are not: %j', (text, isPreview) => {
  expect(isTableOrNested(text)).toBe(isPreview)
})
