import { expect, test } from 'vitest'
import { withChecked } from '#contract/check-lines.ts'
import { splitAtCheckLines } from './check-lines.ts'

const contentsOf = (text: string) =>
  splitAtCheckLines(text).map((part) => [
    part.kind === 'check' ? part.checked : 'text',
    text.slice(part.start, part.end),
  ])

test('Lines that can be ticked are apart from the text around them', () => {
  expect(contentsOf('Pack:\n\n- [ ] tent\n- [x] stove\n  * [X] gas\n1. [ ] map\nthen\ngo')).toEqual([
    ['text', 'Pack:\n'],
    [false, 'tent'],
    [true, 'stove'],
    [true, 'gas'],
    [false, 'map'],
    ['text', 'then\ngo'],
  ])
})

test.each([
  ...['- tent', '[ ] tent', '-[ ] tent', '- [] tent', '- [ ]tent', '- [y] tent', '- [ ] ', 'a - [ ] b', ''],
])('“%s” is text', (text) => {
  expect(contentsOf(text)).toEqual([['text', text]])
})

test('A body of the greatest length is split in a moment, with a bounded number of lines to tick', () => {
  const spaces = [' '.repeat(100_000), `- [ ] ${' '.repeat(99_990)}`]
  const hostile = ['- [ ] a\n'.repeat(12_500), ...spaces, '- ['.repeat(33_000)]
  for (const body of hostile)
    expect(splitAtCheckLines(body).filter(({ kind }) => kind === 'check').length).toBeLessThanOrEqual(500)
})

test('A line is ticked and unticked, and every other character stays', () => {
  const body = 'Pack:\r\n- [ ] tent $& $1\r\n\t- [X]  stove\n'
  const ticked = withChecked(body, { line: 1, text: 'tent $& $1' }, true)
  expect(ticked).toBe('Pack:\r\n- [x] tent $& $1\r\n\t- [X]  stove\n')
  expect(withChecked(ticked ?? '', { line: 1, text: 'tent $& $1' }, false)).toBe(body)
  expect(withChecked(body, { line: 2, text: 'stove' }, false)).toBe(
    'Pack:\r\n- [ ] tent $& $1\r\n\t- [ ]  stove\n',
  )
})

test('A line that has moved is found by its text, and of equal ones the nearest', () => {
  expect(withChecked('new\n- [ ] tent', { line: 0, text: 'tent' }, true)).toBe('new\n- [x] tent')
  expect(withChecked('- [ ] a\n- [ ] b\n- [ ] a', { line: 2, text: 'a' }, true)).toBe(
    '- [ ] a\n- [ ] b\n- [x] a',
  )
  expect(withChecked('- [ ] tents', { line: 0, text: 'tent' }, true)).toBeUndefined()
})
