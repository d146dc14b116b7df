import { createElement, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { sentencesOf } from './verbs.ts'

const read = (text: ReactNode) => renderToStaticMarkup(createElement(Fragment, null, text))

describe.each(Object.entries(sentencesOf))('%s', (_verb, { done, undone, allUndone, failed }) => {
  test('names what was done, of one and of several, and the day, priority or tag that they got', () => {
    for (const items of ['“Sow”', '3 tasks'])
      expect(read(done(items, 'TO')).replace(items, 'ITEMS')).toMatch(
        /^[A-Z][a-z]+( repeating)? ITEMS( (for|to|by adding|by removing|by renaming a tag to) TO| to an earlier version)?$/,
      )
  })

  test('says what is true again after it was undone, of one and of several', () => {
    expect(read(undone('“Sow”'))).toMatch(/^“Sow” (is|has|was|no longer has) [a-z ]+$/)
    expect(allUndone('3 tasks')).toMatch(/^3 tasks (are|have|were|no longer have) [a-z ]+$/)
  })

  test('says what was not stored in a sentence of its own, after which the reason follows', () => {
    expect(failed).toMatch(/^This (task|note|line|text) was not [a-z]+\.$/)
  })
})

test.each([
  ['add', 'Added “Sow”'],
  ['move', 'Moved “Sow”'],
] as const)('%s ends without a day that is not known', (verb, text) => {
  expect(read(sentencesOf[verb].done('“Sow”', ''))).toBe(text)
})
