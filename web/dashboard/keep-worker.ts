import { lookForNewVersion } from '../api/page-client.ts'
import { trustedAddress } from '../ui/trusted-types.ts'

const address = trustedAddress('service-worker', '/service-worker.js')

/** Browsers look for a new worker when a page is opened. A page that stays open does so this often, in milliseconds. */
const lookEvery = 60 * 60 * 1000

type Listeners = { onNewVersion: () => void; onUnstored: () => void }

export function keepWorker({ onNewVersion, onUnstored }: Listeners, signal: AbortSignal) {
  if (signal.aborted) return
  const { serviceWorker } = navigator
  let lookedAt = Date.now()
  const look = () => {
    if (document.visibilityState === 'hidden' || Date.now() - lookedAt < lookEvery) return
    lookedAt = Date.now()
    lookForNewVersion()
  }
  const listen = ({ data }: MessageEvent) => data === 'new version' && onNewVersion()
  serviceWorker.addEventListener('message', listen, { signal })
  document.addEventListener('visibilitychange', look, { signal })
  // The page works without it. A browser can reject it, or have no space for its files.
  serviceWorker.register(address).then(
    (registration) => {
      const { installing } = registration ?? {}
      const look = () => installing?.state === 'redundant' && onUnstored()
      installing?.addEventListener('statechange', look, { once: true })
    },
    (error) => {
      console.warn(error)
      onUnstored()
    },
  )
}
