import { useState } from 'react'
import type { DateWords } from './quick-text.ts'

let loaded: DateWords | undefined

/** What finds days in a text, once its chunk has loaded, and the function that loads it. Nothing waits for it. */
export function useDateWords() {
  const [, setLoaded] = useState(loaded !== undefined)
  async function load() {
    try {
      loaded ??= (await import('./date-words.ts')).findDates
      setLoaded(true)
    } catch (error) {
      // Days then stay words; the next focus tries again.
      console.error(error)
    }
  }
  return { findDates: loaded, load }
}
