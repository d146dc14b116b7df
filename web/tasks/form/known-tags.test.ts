import { expect, test } from 'vitest'
import { completionsOf, typedTagAt } from './known-tags.ts'

test.each([
  ['Paint #ho', '#ho'],
  ['#', '#'],
  ['(#höm', '#höm'],
  ['a\n#home-', '#home-'],
  ['**#home/ga', '#home/ga'],
  ['C#ho', undefined],
  ['#home ', undefined],
  ['', undefined],
])('at the end of %j the tag %j is being typed', (text, tag) => {
  expect(typedTagAt(text, text.length)?.text).toBe(tag)
})

test('a tag is being typed in front of other words, and not inside of a word', () => {
  expect(typedTagAt('#ho now', 3)).toEqual({ text: '#ho', from: 0, to: 3 })
  expect(typedTagAt('#home', 3)).toBeUndefined()
})

test('a typed tag is completed without regard to case and accents, and not by itself', () => {
  expect(completionsOf('#HÖ', ['#work', '#home', '#Höhe'])).toEqual(['#home', '#Höhe'])
  expect(completionsOf('#home', ['#home', '#homework'])).toEqual(['#homework'])
})
