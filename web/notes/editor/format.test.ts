import { expect, test } from 'vitest'
import { type LineFormat, lineMarks } from './format.ts'

test.each<[LineFormat, string, string]>([
  ['heading', 'Tent', '## Tent'],
  ['heading', '# Tent', 'Tent'],
  ['checkbox', 'Tent', '- [ ] Tent'],
  ['checkbox', '  - Tent', '  - [ ] Tent'],
  ['checkbox', '- [x] Tent', 'Tent'],
  ['list', '- [ ] Tent', '- Tent'],
  ['list', '1. Tent', 'Tent'],
  ['list', '', '- '],
])('The format %s makes of "%s" "%s"', (format, line, formatted) => {
  expect(formattedLines([line], format)).toEqual([formatted])
})

const formattedLines = (lines: string[], format: LineFormat) =>
  lineMarks(lines, format).map(({ before, after }, index) => after + lines[index]?.slice(before.length))

test('Several lines get a format together, and lose it when all of them have it', () => {
  const lines = ['Tent', '', '  - Ropes', '- [x] Stove']
  const checkboxes = ['- [ ] Tent', '', '  - [ ] Ropes', '- [x] Stove']
  expect(formattedLines(lines, 'checkbox')).toEqual(checkboxes)
  expect(formattedLines(checkboxes, 'checkbox')).toEqual(['Tent', '', '  Ropes', 'Stove'])
  expect(formattedLines(['1. Tent', 'Stove'], 'list')).toEqual(['1. Tent', '- Stove'])
})
