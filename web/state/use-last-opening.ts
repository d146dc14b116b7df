import { useState } from 'react'
import { useDashboard } from './dashboard-state.tsx'
import type { Overlay } from './dashboard-store.ts'

/** The newest opening stays while its dialog fades out. `opening`: a key that gives each opening a dialog of its own. */
export function useLastOpening<Name extends Overlay['name']>(...names: Name[]) {
  type Opened = Extract<Overlay, { name: Name }>
  const isOneOf = (overlay: Overlay | undefined): overlay is Opened =>
    names.some((name) => name === overlay?.name)
  const opened = useDashboard(({ overlay }) => (isOneOf(overlay) ? overlay : undefined))
  const closeOverlay = useDashboard((state) => state.close)
  const [last, setLast] = useState({ overlay: opened, opening: 0 })
  if (opened && opened !== last.overlay) setLast({ overlay: opened, opening: last.opening + 1 })
  return { isOpen: opened !== undefined, close: () => opened && closeOverlay(opened.name), ...last }
}
