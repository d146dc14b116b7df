import { useEffect } from 'react'
import { useStore } from 'zustand'
import { rest } from '../../parts/parts.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { usePart } from '../../ui/part.ts'
import { useHeldKeys } from '../../ui/use-held-keys.ts'

/** The tools of the selection. */
export function LaterSelectionTools() {
  const { selection } = useEngine()
  const isSelecting = useStore(selection, ({ ids }) => ids.size > 0)
  const loaded = usePart(rest, isSelecting)
  useHeldKeys(isSelecting, loaded, selection.getState().clear, true)
  // Without its tools, a selection would only keep the keys from working.
  useEffect(() => {
    if (loaded === 'failed') selection.getState().clear()
  }, [loaded, selection])
  return loaded && loaded !== 'failed' && <loaded.SelectionTools />
}
