import { useState } from 'react'
import type { DateWords } from '#contract/words/task-text.ts'

let loaded: DateWords | undefined

export async function loadDateWords(): Promise<DateWords> {
  loaded ??= await (await import('#contract/words/date-words.ts')).dateWordsIn(navigator.languages)
  return loaded
}

/** `findDates` finds days in a text, in the browser's languages, once its chunks have loaded. Nothing waits for them. */
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
