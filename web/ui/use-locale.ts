import { useSyncExternalStore } from 'react'
import { firstLanguage } from '#contract/days.ts'

/** The first of the reader's languages that is a valid tag: in WebKit, the locale `C` is none. During hydration as in the HTML. */
export const useLocale = (): string => useSyncExternalStore(onLanguageChange, browserLocale, () => 'en')

let languages: readonly string[] | undefined
let locale = 'en'

/** Checks the tags once: each card asks for the locale several times. */
function browserLocale(): string {
  if (languages === navigator.languages) return locale
  languages = navigator.languages
  locale = firstLanguage(languages) ?? 'en'
  return locale
}

function onLanguageChange(look: () => void) {
  window.addEventListener('languagechange', look)
  return () => window.removeEventListener('languagechange', look)
}
