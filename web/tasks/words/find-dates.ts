import { dateWordsIn } from '#contract/words/date-words.ts'
import type { DateWords } from '#contract/words/task-text.ts'

let words: DateWords | undefined

/** Finds days in a text, in the browser's languages. */
export const findDates: DateWords = (...text) => {
  words ??= dateWordsIn(navigator.languages)
  return words(...text)
}
