import { expect, test } from 'vitest'
import { withLink, withoutLink } from './linked-line.ts'
import { mergeLines } from './merge-lines.ts'

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

test('Whatever another device makes of the line meanwhile, the link is kept or marked, and is taken out with the changed words kept', () => {
  const task = '0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c11'
  const line = { note: 'n', number: 1, plain: '- [ ] Sow beans', linked: `- [Sow beans](task:${task})` }
  const base = `one\n${line.plain}\ntwo`
  const mine = withLink(base, line) ?? ''
  const after = (theirs: string) => {
    const merged = mergeLines(base, mine, `one\n${theirs}\ntwo`)
    expect(merged).toContain(`](task:${task})`)
    return withoutLink(merged, line)
  }
  expect(after('- [ ] Sow red beans')).toBe('one\n- [ ] Sow red beans\ntwo')
  expect(after('  - [ ] Sow beans')).toBe('one\n  - [ ] Sow beans\ntwo')
  for (const theirs of ['- [x] Sow beans', '- [ ] Plant beans', '- [ ] Sow beans in May']) {
    expect(after(theirs)).toContain(`${line.plain} *(or`)
    expect(after(theirs)).toContain(`${theirs} *(or`)
  }
})
