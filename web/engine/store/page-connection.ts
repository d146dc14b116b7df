import { createStore } from 'zustand/vanilla'
import type { Needs } from '../needs.ts'

export type Connection = ReturnType<typeof createConnection>

/** Milliseconds. A network that lets nothing through can leave a call open for minutes. */
const longestProbe = 5000

type Parts = Pick<Needs, 'isOnline' | 'isOver' | 'isReachable' | 'local' | 'on' | 'onReach' | 'tell'>

export function createConnection({ isOnline, isOver, isReachable, local, on, onReach, tell }: Parts) {
  /** True after a call without an answer, if the browser has no connection or a probe got no answer either. */
  const offline = createStore(() => false)
  /** Whether the server no longer accepts the changes of this build (412). */
  const outdated = createStore(() => false)
  /** Whether the page tells the person that this browser stores nothing. */
  const unstored = createStore(() => false)
  let answered = 0

  async function look() {
    const before = answered
    // If another call got an answer during the probe, the page is online.
    const is = !isOnline() || !(await isReachable(AbortSignal.timeout(longestProbe)))
    offline.setState(is && answered === before, true)
  }

  return {
    offline,
    outdated,
    unstored,

    /** Tells the person, once until the next logout, that nothing is stored. */
    sayUnstored() {
      const key = 'unstored'
      if (isOver() || local.getItem(key)) return
      unstored.setState(true, true)
      try {
        local.setItem(key, 'said')
      } catch {
        // The storage is full: the next visit tells it again.
      }
    },

    follow(signal: AbortSignal) {
      const stop = onReach((isReached) => {
        if (isReached) answered++
        if (isReached === !offline.getState()) return
        if (!isReached) return void look()
        offline.setState(false, true)
        tell('back')
      })
      signal.addEventListener('abort', stop)
      on(['online'], () => offline.getState() && look(), signal)
    },
  }
}
