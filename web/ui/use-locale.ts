import { useSyncExternalStore } from 'react'

/** The first of the reader's languages that is a valid tag: in WebKit, the locale `C` is none. During hydration as in the HTML. */
export const useLocale = (): string => useSyncExternalStore(onLanguageChange, browserLocale, () => 'en')

let languages: readonly string[] | undefined
let locale = 'en'

/** Checks the tags once: each card asks for the locale several times. */
function browserLocale(): string {
  if (languages === navigator.languages) return locale
  languages = navigator.languages
  locale = languages.find(isTag) ?? 'en'
  return locale
}

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0
  } catch {
    return false
  }
}

function onLanguageChange(look: () => void) {
  window.addEventListener('languagechange', look)
  return () => window.removeEventListener('languagechange', look)
}
