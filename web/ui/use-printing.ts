import { useSyncExternalStore } from 'react'

let isPrinting = false

/**
 * The browser takes the page as it is right after `beforeprint`, so what is only printed must be rendered without waiting.
 * Programs that only emulate the print medium, such as developer tools, send no `beforeprint`.
 */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    onPrint,
    () => isPrinting || matchMedia('print').matches,
    () => false,
  )

function onPrint(look: () => void) {
  const media = matchMedia('print')
  const onEvent = ({ type }: Event) => {
    isPrinting = type === 'beforeprint'
    look()
  }
  const left = new AbortController()
  const { signal } = left
  window.addEventListener('beforeprint', onEvent, { signal })
  window.addEventListener('afterprint', onEvent, { signal })
  media.addEventListener('change', look, { signal })
  return () => left.abort()
}
