import { expect, test } from 'vitest'
import { pastedLines } from './pasted-text.ts'

test('Several pasted lines are tasks without the marks of a list, or one task with the others as they are', () => {
  const { lines, body, isOneOnly } = pastedLines('Garden\r\n\r\n- [ ] Sow !high\n2. Mow\n')
  expect(lines.map(({ text }) => text)).toEqual(['Garden', 'Sow !high', 'Mow'])
  expect(body).toBe('- [ ] Sow !high\n2. Mow')
  expect(isOneOnly).toBe(false)
})

test('Lines that are no titles, or too many, become one task', () => {
  expect(pastedLines(`a\n${'b'.repeat(5000)}`).isOneOnly).toBe(true)
  expect(pastedLines('a\n'.repeat(2000)).isOneOnly).toBe(false)
  expect(pastedLines('a\n'.repeat(2001)).isOneOnly).toBe(true)
})
