import { expect, test } from 'vitest'
import { type DateWords, readTaskText } from '#contract/words/task-text.ts'
import { findDates, findIn, linesOf } from '../testing/word-readers.ts'

/** The title, the first day with its time, the rule, and `done` if it counts from the completion. */
function repeatOf(text: string, find: DateWords) {
  const { title, set } = readTaskText(text, { now: { today: '2026-11-25', time: '14:00' }, findDates: find })
  const when = [set.dueDate ?? [], set.dueTime ?? []].flat().join(' ')
  return [title, when, set.repeat ?? 'never', set.repeatFrom === 'done' ? 'done' : []].flat().join(' | ')
}

test.each(['english', 'german', 'french'] as const)('100 lines with repeats in %s are read', (language) => {
  const lines = linesOf(`lines-with-repeats/${language}`)
  expect(new Set(lines).size).toBeGreaterThanOrEqual(100)
  const texts = lines.map((line) => line.split(' | ')[0] as string)
  for (const find of [findIn[language], findDates])
    expect(texts.map((text) => `${text} | ${repeatOf(text, find)}`)).toEqual(lines)
})
