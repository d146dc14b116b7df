import { expect, test } from 'vitest'
import { linkTo, taskLinkIn, withoutTaskLink } from './task-line.ts'

const id = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'

test.each(['Water', 'Read [the] book', '\\ and ]'])('The link to %j is found and taken out', (title) => {
  const line = `- [ ] a [b] ${linkTo(title, `task:${id}`)} c`
  expect(taskLinkIn(line)).toBe(id)
  expect(withoutTaskLink(line)).toBe(`- [ ] a [b] ${title} c`)
})

test('The id of a task is read in lower case', () => {
  expect(taskLinkIn(`[Water](TASK:${id.toUpperCase()})`)).toBe(id)
})

test.each([`[Water](note:${id})`, `\\[Water](task:${id})`, 'Water'])('%j links to no task', (line) => {
  expect(taskLinkIn(line)).toBeUndefined()
  expect(withoutTaskLink(line)).toBe(line)
})

test('Opening brackets before a link do not belong to it', () => {
  expect(withoutTaskLink(`[[ [a [Water](task:${id})`)).toBe('[[ [a Water')
})
