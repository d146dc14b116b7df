import { useSyncExternalStore } from 'react'

/** The reader's language; `en` while prerendered HTML is being taken over, so that both agree. */
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
