import { useCallback, useSyncExternalStore } from 'react'

export const isTouched = (): boolean => matchMedia('(hover: none)').matches

/** Whether a media query matches; undefined during hydration. */
export function useMedia(query: string): boolean | undefined {
  const subscribe = useCallback(
    (look: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', look)
      return () => media.removeEventListener('change', look)
    },
    [query],
  )
  return useSyncExternalStore<boolean | undefined>(
    subscribe,
    () => matchMedia(query).matches,
    () => undefined,
  )
}
