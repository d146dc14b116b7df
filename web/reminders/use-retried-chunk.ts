import { useEffect, useEffectEvent } from 'react'
import { pageSigns } from '../state/page-needs.ts'
import { useChunk } from '../ui/use-chunk.ts'

/** A part of the page that nobody has asked for. If it could not be loaded, it is loaded when the connection or the person is back. */
export function useRetriedChunk<Module extends object>(
  load: () => Promise<Module>,
  isWanted: boolean,
): Module | undefined {
  const [chunk, retry] = useChunk(load, isWanted)
  const retryNow = useEffectEvent(retry)
  const isFailed = chunk === 'failed'
  useEffect(() => {
    if (!isFailed) return
    const controller = new AbortController()
    pageSigns.onWake(() => retryNow(), controller.signal)
    return () => controller.abort()
  }, [isFailed])
  return typeof chunk === 'object' ? chunk : undefined
}
