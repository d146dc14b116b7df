import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** The reader's language; `en` while prerendered HTML is being taken over, so that both agree. */
export const useLocale = (): string =>
  useSyncExternalStore(
    never,
    () => navigator.language,
    () => 'en',
  )

/** False in prerendered HTML and while it is being taken over, true from then on: for what depends on the reader's day. */
export const useIsClient = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
