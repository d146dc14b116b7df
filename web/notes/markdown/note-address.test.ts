import { expect, test } from 'vitest'
import { addressOf, isWebAddress } from './note-address.ts'

const id = '0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c11'

test('A link leads to a page, a note or a task', () => {
  expect(addressOf('https://example.org/a_(b)')).toEqual({ kind: 'page', href: 'https://example.org/a_(b)' })
  expect(addressOf('www.example.org')).toEqual({ kind: 'page', href: 'https://www.example.org' })
  expect(addressOf('ada@example.org')).toEqual({ kind: 'page', href: 'mailto:ada@example.org' })
  expect(addressOf(`note:${id}`)).toEqual({ kind: 'note', id })
  expect(addressOf(`task:${id.toUpperCase()}`)).toEqual({ kind: 'task', id })
  expect(addressOf('<https://example.org>')).toEqual({ kind: 'page', href: 'https://example.org' })
})

test('A link with another scheme leads nowhere', () => {
  for (const destination of [
    ...['javascript:alert(1)', 'JavaScript:alert(1)', 'java\tscript:alert(1)', ' javascript:alert(1)'],
    ...['\\javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x'],
    ...['file:///etc/passwd', 'blob:https://example.org/1', '//example.org', 'relative/path'],
    ...['note:1', 'task:../x'],
  ])
    expect(addressOf(destination), destination).toBeUndefined()
})

test('Only one whole web address counts as one that is pasted', () => {
  expect(isWebAddress('https://example.org/?q=1')).toBe(true)
  for (const text of ['see https://example.org', 'https://a.org https://b.org', 'javascript:x', 'a.org'])
    expect(isWebAddress(text), text).toBe(false)
})
