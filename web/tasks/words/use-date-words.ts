import { useState } from 'react'
import type { DateWords } from '#contract/words/task-text.ts'

let loaded: DateWords | undefined

/** Loads the function that finds days in a text, in the browser's languages. */
export async function loadDateWords(): Promise<DateWords> {
  loaded ??= await (await import('#contract/words/date-words.ts')).dateWordsIn(navigator.languages)
  return loaded
}

/**
 * The function that finds days in a text, once its chunks have loaded, and the function that loads them. Nothing waits for the
 * chunks.
 */
export function useDateWords() {
  const [, setLoaded] = useState(loaded !== undefined)
  async function load() {
    try {
      await loadDateWords()
      setLoaded(true)
    } catch (error) {
      // Days then stay words; the next attempt loads them.
      console.error(error)
    }
  }
  return { findDates: loaded, load }
}
