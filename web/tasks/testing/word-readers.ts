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

/** The phrases of a table, which are separated by semicolons and line ends. */
export const phrasesIn = (text: string) => text.trim().split(/\s*[;\n]\s*/)

/** A case for each phrase of each row, with the values that all phrases of the row have. */
export const eachPhrase = <Values extends unknown[]>(rows: [phrases: string, ...Values][]) =>
  rows.flatMap(([phrases, ...values]) =>
    phrasesIn(phrases).map((phrase): [phrase: string, ...Values] => [phrase, ...values]),
  )
