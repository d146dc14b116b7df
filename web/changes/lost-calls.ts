import type { QueryClient } from '@tanstack/react-query'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../api/client.ts'
import { isTask } from '../store/item-rules.ts'
import type { Verb } from '../store/pending-change.ts'
import { storeOf } from '../store/use-store.ts'
import { perCache } from '../sync/per-cache.ts'
import { isUnanswered } from '../sync/retry-delay.ts'
import { journalOf } from './journal.ts'

/** `isMade`: whether the task is as the call makes it. `remember`: adds the step that undoes the change. */
type LostCall = {
  verb: Verb
  item: string
  isMade: (task: Task) => boolean
  remember: (task: Task) => void
}

/** The functions that stop to follow each call. */
const followedOf = perCache(() => new Map<string, () => void>())

/** Whether an earlier call for this task got no answer, and its outcome is not known. */
export const isLost = (queryClient: QueryClient, verb: Verb, item: string) =>
  followedOf(queryClient).has(`${verb} ${item}`)

/** A repeated call was answered. Returns whether an earlier one got no answer. */
export function endLost(queryClient: QueryClient, verb: Verb, item: string): boolean {
  const end = followedOf(queryClient).get(`${verb} ${item}`)
  end?.()
  return end !== undefined
}

/**
 * A call has failed. If its answer says nothing about what it did, and the log shows later that the server has made the
 * change, the change can be undone like any other.
 */
export function followLost(
  queryClient: QueryClient,
  error: unknown,
  { verb, item, isMade, remember }: LostCall,
) {
  if (!isUnanswered(problemFrom(error)?.status ?? 200)) return
  endLost(queryClient, verb, item)
  const store = storeOf(queryClient)
  function look() {
    const task = store.stored(item)
    if (!task || !isTask(task) || !isMade(task)) return
    end()
    // An unsent change of the task may be the same one, with a step of its own.
    journalOf(queryClient)
      .answered(item)
      .then(() => remember(task))
      .catch(console.error)
  }
  const stops = [store.subscribe((ids) => ids.has(item) && look()), store.onReplaced(() => end())]
  function end() {
    followedOf(queryClient).delete(`${verb} ${item}`)
    for (const stop of stops) stop()
  }
  followedOf(queryClient).set(`${verb} ${item}`, end)
  look()
}
