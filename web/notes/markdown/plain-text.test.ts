import { expect, test } from 'vitest'
import { summaryLength } from '#contract/limits.ts'
import { plainText } from './plain-text.ts'

test.each([
  ['- [ ] milk - [x] bread', 'milk bread'],
  ['- milk - **bread**', 'milk bread'],
  ['# Plan ## Monday', 'Plan Monday'],
  ['**Bold**, *soft*, __strong__, _em_ and ~~gone~~', 'Bold, soft, strong, em and gone'],
  ['Run `npm test` in [the folder](https://example.org/a)', 'Run npm test in the folder'],
  ['see [Ferry](note:0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c11)', 'see Ferry'],
  ['[see [b] c](https://example.org/a_(b)), ![image](x.png "title")', 'see [b] c, image'],
  ['[1 \\[a\\]](https://example.org) and [x](not a link)', '1 [a] and [x](not a link)'],
  ['> quoted', 'quoted'],
  ['| a | b | |---|---| | 1 | 2 |', 'a b 1 2'],
  ['Prices |a|b| |-|-| |1|2|', 'Prices a b 1 2'],
  ['```js let a ```', 'let a'],
  ['the end is **cut of', 'the end is cut of'],
  ['…the start** is cut~~, too', '…the start is cut, too'],
])('%j reads %j in a list', (markdown, plain) => {
  expect(plainText(markdown)).toBe(plain)
})

test.each(['2 * 3 * 4', 'snake_case_name', 'C# and #tag', 'a - b', 'x[0] (one)', '~5 °C', 'a|b', '`', ''])(
  '%j has no marks and stays',
  (text) => expect(plainText(text)).toBe(text),
)

test('Marks without an end stay readable and are read without repeated searches', () => {
  for (const part of ['**', '[', '`', '| -', '> ', '*a_ ', '__', '[a](', '- [ ] '])
    expect(plainText(part.repeat(summaryLength)).length).toBeLessThanOrEqual(part.length * summaryLength)
})
