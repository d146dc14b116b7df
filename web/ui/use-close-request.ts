import { useEffect, useEffectEvent } from 'react'
import { pressedKey } from './pressed-key.ts'

/** Not in TypeScript's library yet. */
declare class CloseWatcher {
  onclose: (() => void) | null
  destroy(): void
}

/** Calls `onClose` when the reader closes a dialog with Escape, or with Back where the system supports that. */
export function useCloseRequest(open: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)

  useEffect(() => {
    if (!open) return
    if ('CloseWatcher' in window) {
      const watcher = new CloseWatcher()
      watcher.onclose = () => close()
      return () => watcher.destroy()
    }
    const closeOnEscape = (event: KeyboardEvent) => pressedKey(event) === 'Escape' && close()
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [open])
}
