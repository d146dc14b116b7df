import { readFileSync } from 'node:fs'
import { dateWordsOf } from '#contract/words/date-words.ts'
import { french } from '#contract/words/french.ts'
import { german } from '#contract/words/german.ts'

/** A reader of all three languages. */
export const findDates = dateWordsOf([german, french], true)

export const findIn = {
  english: dateWordsOf([], false),
  german: dateWordsOf([german], true),
  french: dateWordsOf([french], false),
}

/** The lines of a file beside the tests of words. */
export const linesOf = (path: string) =>
  readFileSync(new URL(`../words/${path}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
