import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Entry } from '../store/pending-change.ts'
import { perCache } from '../sync/per-cache.ts'
import { outboxOf } from './outbox.ts'

/** In milliseconds. Most changes are sent within this time, and no dot is shown for them, so that nothing flickers. */
const aMoment = 2000

const lateChangesOf = perCache((queryClient: QueryClient) => {
  const outbox = outboxOf(queryClient)
  const late = createStore<readonly Entry[]>(() => [])
  let isWaiting = false

  /** Keeps the changes that were late before, and those of `waited`, as far as they are still unsent. */
  function look(waited: readonly Entry[] = []) {
    const known = new Set([...late.getState(), ...waited].map(({ mutation }) => mutation))
    const entries = outbox.entries()
    const left = entries.filter(({ mutation }) => known.has(mutation))
    if (left.length > 0 || late.getState().length > 0) late.setState(left, true)
    if (isWaiting || left.length === entries.length) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      look(entries)
    }, aMoment)
  }

  outbox.subscribe(() => look())
  look()
  return late
})

/** The result of `select` for the changes that have waited for longer than a moment to be sent, oldest first. */
export const useLateChanges = <Value>(select: (entries: readonly Entry[]) => Value): Value =>
  useStore(lateChangesOf(useQueryClient()), select)
