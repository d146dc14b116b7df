import { expect, test } from 'vitest'
import { withLink, withoutLink } from './linked-line.ts'

const line = {
  note: 'n',
  number: 2,
  plain: '- [ ] Sow $& beans',
  linked: '- [Sow $& beans](task:t)',
}

test('The link goes into the line that is still as it was, next to where it was', () => {
  const text = `${line.plain}\none\ntwo\n${line.plain}\n`
  expect(withLink(text, line)).toBe(`${line.plain}\none\ntwo\n${line.linked}\n`)
  expect(withLink(`a\r\n${line.plain}\r\nb`, line)).toBe(`a\r\n${line.linked}\r\nb`)
  expect(withLink(`a\n${line.plain} more`, line)).toBeUndefined()
  expect(withLink(`${line.plain}\n${line.linked}`, line)).toBe(`${line.plain}\n${line.linked}`)
})

test('The link is taken out wherever the line is, and the text around it stays', () => {
  expect(withoutLink(`new\n> ${line.linked} tomorrow\n`, line)).toBe(`new\n> ${line.plain} tomorrow\n`)
  expect(withoutLink('another text', line)).toBeUndefined()
})
