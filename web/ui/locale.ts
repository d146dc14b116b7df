import { useSyncExternalStore } from 'react'

/** The reader's language; `en` during hydration, so that it matches the prerendered HTML. */
export const useLocale = (): string =>
  useSyncExternalStore(
    onLanguageChange,
    () => navigator.language,
    () => 'en',
  )

function onLanguageChange(look: () => void) {
  window.addEventListener('languagechange', look)
  return () => window.removeEventListener('languagechange', look)
}
