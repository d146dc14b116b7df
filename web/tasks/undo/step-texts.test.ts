import { createElement, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { notStored, stepTexts } from './step-texts.tsx'

const read = (text: ReactNode) => renderToStaticMarkup(createElement(Fragment, null, text))

describe.each(Object.entries(stepTexts))('%s', (_action, { done, one, many }) => {
  test('names what was done, of one and of several, and the day, priority or tag that they got', () => {
    for (const items of ['“Sow”', '3 tasks'])
      expect(read(done(items, 'TO')).replace(items, 'ITEMS')).toMatch(
        /^[A-Z][a-z]+ ITEMS( (for|to|by adding) TO| to an earlier version)?$/,
      )
  })

  test('says what is true again after it was undone, of one and of several', () => {
    expect(read(one('“Sow”'))).toMatch(/^“Sow” (is|has|was|no longer has) [a-z ]+$/)
    expect(many('3 tasks')).toMatch(/^3 tasks (are|have|were|no longer have) [a-z ]+$/)
  })
})

test.each(['Added', 'Moved'] as const)('%s ends without a day that is not known', (action) => {
  expect(read(stepTexts[action].done('“Sow”', ''))).toBe(`${action} “Sow”`)
})

test('A change of a task that was not stored is a sentence of its own, after which the reason follows', () => {
  for (const sentence of Object.values(notStored)) expect(sentence).toMatch(/^This task was not [a-z]+\.$/)
})
