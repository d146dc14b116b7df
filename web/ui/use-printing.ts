import { useSyncExternalStore } from 'react'

let isPrinting = false

/**
 * Whether the page is being printed. The browser takes the page as it is right after `beforeprint`, so elements that are only printed
 * must be rendered without waiting for anything. Programs that only emulate the print medium, such as developer tools, send no
 * `beforeprint`: there the media query is used.
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
  window.addEventListener('beforeprint', onEvent)
  window.addEventListener('afterprint', onEvent)
  media.addEventListener('change', look)
  return () => {
    window.removeEventListener('beforeprint', onEvent)
    window.removeEventListener('afterprint', onEvent)
    media.removeEventListener('change', look)
  }
}
