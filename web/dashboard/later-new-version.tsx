import { useEffect, useState } from 'react'
import { useEngine } from '../state/use-engine.tsx'
import { onOutdated } from '../ui/load-chunk.ts'
import { useChunk } from '../ui/use-chunk.ts'
import { loadFrameDialogs } from './later-dialogs.tsx'

/**
 * Lets the dashboard be opened without a network. Offers to reload once a newer build is in this browser, or once the server no
 * longer has a part of this build, because without most parts the page works and reports nothing.
 */
export function LaterNewVersion() {
  const [isNew, setIsNew] = useState(false)
  const { sayUnstored } = useEngine().connection
  useEffect(() => onOutdated(() => setIsNew(true)), [])
  useEffect(() => {
    // Without HTTPS, and in some private windows, there are no workers.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    const left = new AbortController()
    const { signal } = left
    const keep = () =>
      import('./keep-worker.ts').then(
        ({ keepWorker }) =>
          keepWorker({ onNewVersion: () => setIsNew(true), onUnstored: sayUnstored }, signal),
        console.warn,
      )
    // After everything that the first view needs.
    if (document.readyState === 'complete') keep()
    else window.addEventListener('load', keep, { signal })
    return () => left.abort()
  }, [sayUnstored])
  const [chunk] = useChunk(loadFrameDialogs, isNew)
  return isNew && typeof chunk === 'object' && <chunk.NewVersion onClose={() => setIsNew(false)} />
}
