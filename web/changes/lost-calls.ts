import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../api/client.ts'
import { isTask } from '../store/item-rules.ts'
import type { Verb } from '../store/pending-change.ts'
import type { Store } from '../store/store.ts'
import { isUnanswered } from '../sync/retry-delay.ts'
import type { Journal } from './journal.ts'

/** `isMade`: whether the task is as the call makes it. `remember`: adds the step that undoes the change. */
type LostCall = {
  verb: Verb
  item: string
  isMade: (task: Task) => boolean
  remember: (task: Task) => void
}

/**
 * The calls that got no answer. If the log shows later that the server has made the change of one, the change can be undone like any
 * other.
 */
export function createLostCalls(store: Store, journal: Journal) {
  /** The functions that stop to follow each call. */
  const followed = new Map<string, () => void>()

  function end(verb: Verb, item: string): boolean {
    const stop = followed.get(`${verb} ${item}`)
    stop?.()
    return stop !== undefined
  }

  function look({ verb, item, isMade, remember }: LostCall) {
    const task = store.stored(item)
    if (!task || !isTask(task) || !isMade(task)) return
    end(verb, item)
    // An unsent change of the task may be the same one, with a step of its own.
    journal
      .answered(item)
      .then(() => remember(task))
      .catch(console.error)
  }

  return {
    /** Whether an earlier call for this task got no answer, and its outcome is not known. */
    has: (verb: Verb, item: string) => followed.has(`${verb} ${item}`),

    /** A repeated call was answered. Returns whether an earlier one got no answer. */
    end,

    /** Makes the call of a change, and follows the change if the answer says nothing about it. */
    async follow<Answer>(change: LostCall, make: () => Promise<Answer>): Promise<Answer> {
      const { verb, item } = change
      try {
        return await make()
      } catch (error) {
        if (isUnanswered(problemFrom(error)?.status ?? 200)) {
          end(verb, item)
          const stops = [
            store.subscribe((ids) => ids.has(item) && look(change)),
            store.onReplaced(() => end(verb, item)),
          ]
          followed.set(`${verb} ${item}`, () => {
            followed.delete(`${verb} ${item}`)
            for (const stop of stops) stop()
          })
          look(change)
        }
        throw error
      }
    },
  }
}
