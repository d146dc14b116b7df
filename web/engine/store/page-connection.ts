import { createStore } from 'zustand/vanilla'
import type { Needs } from '../needs.ts'

export type Connection = ReturnType<typeof createConnection>

/** In milliseconds: a network that lets nothing through can leave a call open for minutes. */
const longestProbe = 5000

type Parts = Pick<Needs, 'isOnline' | 'isOver' | 'isReachable' | 'local' | 'on' | 'onReach' | 'tell'>

/** What the page knows of its connection, its build and its storage. */
export function createConnection({ isOnline, isOver, isReachable, local, on, onReach, tell }: Parts) {
  /**
   * Whether the page knows that it is offline. It is offline when a call got no answer, and the browser has no connection or a
   * probe got no answer either.
   */
  const offline = createStore(() => false)
  /** Whether the server has refused the changes of this page because it no longer knows the build (412). */
  const outdated = createStore(() => false)
  /** Whether the page says that this browser stores nothing. */
  const unstored = createStore(() => false)
  /** How many calls got an answer. */
  let answered = 0

  /** Finds out whether the page is offline, after a call got no answer. */
  async function look() {
    const before = answered
    // A call that got an answer during the probe knows better.
    const is = !isOnline() || !(await isReachable(AbortSignal.timeout(longestProbe)))
    offline.setState(is && answered === before, true)
  }

  return {
    offline,
    outdated,
    unstored,

    /** Says, once until the next logout, that the page works from memory alone. */
    sayUnstored() {
      const key = 'unstored'
      if (isOver() || local.getItem(key)) return
      unstored.setState(true, true)
      try {
        local.setItem(key, 'said')
      } catch {
        // It is full: then it is said again at the next visit.
      }
    },

    /** Follows whether the calls of the page reach the server. */
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
