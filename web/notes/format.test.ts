import { expect, test } from 'vitest'
import { type Format, lineMark } from './format.ts'

test.each<[Exclude<Format, 'link'>, string, string]>([
  ['heading', 'Tent', '## Tent'],
  ['heading', '# Tent', 'Tent'],
  ['checkbox', 'Tent', '- [ ] Tent'],
  ['checkbox', '  - Tent', '  - [ ] Tent'],
  ['checkbox', '- [x] Tent', 'Tent'],
  ['list', '- [ ] Tent', '- Tent'],
  ['list', '1. Tent', 'Tent'],
  ['list', '', '- '],
])('The format %s makes of "%s" "%s"', (format, line, formatted) => {
  const { before, after } = lineMark(line, format)
  expect(after + line.slice(before.length)).toBe(formatted)
})
