import { expect, test } from 'vitest'
import { readTaskText } from '#contract/words/task-text.ts'
import { findDates, linesOf } from '../testing/word-readers.ts'

test.each(['english', 'german', 'french'])('Of 250 ordinary titles in %s none becomes a chip', (language) => {
  const titles = linesOf(`ordinary-titles/${language}`)
  expect(new Set(titles).size).toBeGreaterThanOrEqual(250)
  const read = titles.filter(
    (text) => readTaskText(text, { now: { today: '2026-11-25', time: '08:00' }, findDates }).marks.length > 0,
  )
  expect(read).toEqual([])
})
