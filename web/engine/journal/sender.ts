import { problemFrom } from '../../api/client.ts'
import type { Entry } from '../entry.ts'
import type { Store } from '../store/store.ts'
import { isTemporary, isUnanswered } from '../sync/retry-delay.ts'
import { createAnswering } from './answers.ts'
import type { Entries, Result } from './entries.ts'
import type { Outcomes } from './outcomes.ts'
import { nextBatch, type Request, requestOf, sendable } from './requests.ts'
import { reread } from './tabs.ts'

/** How changes reach the server. */
export type Connection = {
  /**
   * Sends several changes, or one undo, and returns the results of each. The undo of a group has several results. If a list tells the
   * outcome of a change, the change has none. Throws a ProblemError.
   */
  send(requests: Request[]): Promise<Result[][]>
  now(): number
}

/**
 * Whether the answer says nothing about single entries. The server may have done all or nothing of the call, or it wants another session or
 * another build of the page.
 */
const isOfCall = (status: number) => isUnanswered(status) || [401, 403, 412].includes(status)

/** Returns the function that sends all entries, in order. If some are left that another attempt may store, it returns why. */
export function createSending(store: Store, entries: Entries, outcomes: Outcomes, connection: Connection) {
  const answered = createAnswering(store, entries, outcomes)
  /** How many entries are sent alone, because a call with several of them was rejected. */
  let alone = 0

  /** The requests of a batch, by mutation. An entry that has nothing left to change is done. One that can no longer be made is rejected. */
  function requestsOf(batch: readonly Entry[]) {
    const requests = new Map<string, Request>()
    for (const entry of batch) {
      try {
        const request = requestOf(entry, store, connection.now())
        if (request) requests.set(entry.mutation, request)
        else answered([entry])
      } catch (error) {
        outcomes.reject(entry, error)
      }
    }
    return requests
  }

  /** The call for these entries failed. Returns whether sending continues. */
  async function failed(sent: readonly Entry[], error: unknown): Promise<boolean> {
    const status = problemFrom(error)?.status
    if (status !== undefined && isOfCall(status)) {
      outcomes.settleAll()
      return false
    }
    // Each is sent alone next, which shows the rejected one.
    if (sent.length > 1) {
      alone = sent.length
      return true
    }
    for (const entry of sent) {
      const mayPass = status !== undefined && isTemporary(status)
      if (mayPass && !isExplained(entry)) return false
      outcomes.reject(entry, error)
    }
    // Their caller may take back the changes that were made after them.
    await new Promise((taken) => setTimeout(taken))
    return true
  }

  /**
   * Whether the caller that made the change tells its failure. Such a change is not sent again by itself. A change that is being taken back
   * is sent until there is an answer.
   */
  const isExplained = (entry: Entry) =>
    outcomes.hasWaiter(entry.mutation) && outcomes.undoingOf(entry).length === 0

  return async (signal: AbortSignal): Promise<unknown> => {
    alone = 0
    while (!signal.aborted) {
      await reread(store, entries, outcomes)
      const left = sendable(entries.inOrder(), store)
      const batch = nextBatch(alone > 0 ? left.slice(0, 1) : left)
      if (batch.length === 0) return
      const requests = requestsOf(batch)
      if (requests.size === 0) continue
      const unsent = batch.filter(({ mutation, status }) => requests.has(mutation) && status === 'new')
      outcomes.update(unsent, (held) => ({ ...held, status: 'sent' }))
      /** With the result, if the server has applied it. */
      const sent = (results?: Result[][]) =>
        [...requests.keys()].flatMap((mutation, index) => {
          const [entry, answer] = [entries.get(mutation), results?.[index]]
          return entry ? [{ ...entry, ...(answer?.length && { answer }) }] : []
        })
      try {
        const results = await connection.send([...requests.values()])
        alone = Math.max(0, alone - 1)
        answered(sent(results))
      } catch (error) {
        if (signal.aborted || !(await failed(sent(), error))) return error
      }
    }
    return signal.reason
  }
}
