import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useEngine } from '../../state/use-engine.tsx'
import { useChunk } from '../../ui/use-chunk.ts'
import { useHeldKeys } from '../../ui/use-held-keys.ts'

const loadTools = () => import('./selection-tools.tsx')

/** The tools of the selection, loaded by the first use of a pointer or a key, and for fingers before: the first touch may be a gesture. */
export function LaterSelectionTools() {
  const { selection } = useEngine()
  const isSelecting = useStore(selection, ({ ids }) => ids.size > 0)
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    setUsed(matchMedia('(pointer: coarse)').matches)
    const listeners = new AbortController()
    for (const event of ['pointermove', 'pointerdown', 'keydown'] as const)
      document.addEventListener(event, () => setUsed(true), { once: true, signal: listeners.signal })
    return () => listeners.abort()
  }, [])
  const [tools] = useChunk(loadTools, isUsed || isSelecting)
  useHeldKeys(isSelecting, tools, selection.getState().clear, true)
  // Without its tools, a selection would only keep the keys from working.
  useEffect(() => {
    if (tools === 'failed') selection.getState().clear()
  }, [tools, selection])
  return typeof tools === 'object' && <tools.default />
}
