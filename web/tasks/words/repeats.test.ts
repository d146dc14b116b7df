import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dateWordsOf } from '#contract/words/date-words.ts'
import { french } from '#contract/words/french.ts'
import { german } from '#contract/words/german.ts'
import { type DateWords, readTaskText } from '#contract/words/task-text.ts'

const findIn = {
  english: dateWordsOf([], false),
  german: dateWordsOf([german], true),
  french: dateWordsOf([french], false),
}
const findDates = dateWordsOf([german, french], true)

/** The title, the first day with its time, the rule, and `done` if it counts from the completion. */
function repeatOf(text: string, find: DateWords) {
  const { title, set } = readTaskText(text, { now: { today: '2026-11-25', time: '14:00' }, findDates: find })
  const when = [set.dueDate ?? [], set.dueTime ?? []].flat().join(' ')
  return [title, when, set.repeat ?? 'never', set.repeatFrom === 'done' ? 'done' : []].flat().join(' | ')
}

test.each(['english', 'german', 'french'] as const)('100 lines with repeats in %s are read', (language) => {
  const file = new URL(`./lines-with-repeats/${language}.txt`, import.meta.url)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(new Set(lines).size).toBeGreaterThanOrEqual(100)
  const texts = lines.map((line) => line.split(' | ')[0] as string)
  for (const find of [findIn[language], findDates])
    expect(texts.map((text) => `${text} | ${repeatOf(text, find)}`)).toEqual(lines)
})
