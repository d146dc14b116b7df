import type { Delta } from '#contract/changes.ts'
import { call, problemFrom } from '../api/client.ts'
import { storedAccount } from '../api/session.ts'
import type { ChangeFollower, Target } from './change-follower.ts'
import { longestSilence } from './event-stream.ts'
import { isTemporary, onWake, waitToRetry } from './retry-delay.ts'
import { shareStream } from './shared-stream.ts'

/**
 * Follows the changes that other tabs and devices make. Returns the function that stops it. The stream says when there
 * are changes; coming back to the page and a restored connection ask for them if the stream has been silent.
 */
export function followChanges(follower: ChangeFollower, lists: Pick<Target, 'show' | 'reload'>) {
  const account = storedAccount()
  if (account === undefined) return () => {}
  const controller = new AbortController()
  const { signal } = controller
  let lastSign = Number.NEGATIVE_INFINITY
  let hasBegun = false
  const note = () => {
    lastSign = performance.now()
  }

  const stream = shareStream(
    account,
    {
      onCursor(cursor, isAfterGap) {
        note()
        follower.announced(cursor, isAfterGap)
      },
      onHeartbeat: note,
    },
    signal,
  )
  const stop = follower.start({
    ...lists,
    begin() {
      if (!hasBegun) stream.begin()
      hasBegun = true
    },
    fetch: (since) => fetchChanges(since, signal),
  })
  onWake(() => performance.now() - lastSign > longestSilence && follower.refresh(), signal)

  return () => {
    stop()
    controller.abort()
  }
}

/** Fetches the changes after a cursor, and tries again after failures that may pass. */
async function fetchChanges(since: string, signal: AbortSignal): Promise<Delta> {
  for (let failures = 0; ; failures++) {
    try {
      return (await call('GET /changes', { query: { since }, signal })).data
    } catch (error) {
      if (signal.aborted || !isTemporary(problemFrom(error)?.status ?? 400)) throw error
    }
    await waitToRetry(failures, signal)
    signal.throwIfAborted()
  }
}
