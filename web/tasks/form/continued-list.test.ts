import { expect, test } from 'vitest'
import { continuedList } from './continued-list.ts'

test.each([
  ['- [ ] milk', '- [ ] milk\n- [ ] '],
  ['- [x] milk', '- [x] milk\n- [ ] '],
  ['Shopping\n  * milk', 'Shopping\n  * milk\n  * '],
  ['9. milk', '9. milk\n10. '],
  ['- milk\n- ', '- milk\n'],
  ['- [ ] ', ''],
])('Enter at the end of %j makes it %j', (text, continued) => {
  const { removed, inserted } = continuedList(text, text.length) ?? { removed: -1, inserted: '' }
  expect(text.slice(0, text.length - removed) + inserted).toBe(continued)
})

test.each([
  ['milk', 4],
  ['- milk', 1],
  ['- milk\neggs', 11],
])('Enter in %j at %i begins a line as always', (text, caret) => {
  expect(continuedList(text, caret)).toBeUndefined()
})
