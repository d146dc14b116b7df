import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dateWordsOf } from '#contract/words/date-words.ts'
import { french } from '#contract/words/french.ts'
import { german } from '#contract/words/german.ts'
import { readTaskText } from '#contract/words/task-text.ts'

// A reader of all three languages.
const findDates = dateWordsOf([german, french], true)

test.each(['english', 'german', 'french'])('Of 250 ordinary titles in %s none becomes a chip', (language) => {
  const file = new URL(`./ordinary-titles/${language}.txt`, import.meta.url)
  const titles = readFileSync(file, 'utf8').trim().split('\n')
  expect(new Set(titles).size).toBeGreaterThanOrEqual(250)
  const read = titles.filter(
    (text) => readTaskText(text, { now: { today: '2026-11-25', time: '08:00' }, findDates }).marks.length > 0,
  )
  expect(read).toEqual([])
})
