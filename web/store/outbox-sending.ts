import { problemFrom } from '../api/client.ts'
import { isTemporary } from '../sync/retry-delay.ts'
import { createAnswering } from './outbox-answers.ts'
import type { Entries, Result } from './outbox-entries.ts'
import type { Outcomes } from './outbox-outcomes.ts'
import { nextBatch, type Request, requestOf, sendable } from './outbox-requests.ts'
import { reread } from './outbox-tabs.ts'
import type { Entry } from './pending-change.ts'
import type { Store } from './store.ts'

/** How changes reach the server. */
export type Connection = {
  /**
   * Sends several changes, or one undo, and returns the results of each: several of the undo of a group, none for a change whose outcome is
   * known from a list. Throws a ProblemError.
   */
  send(requests: Request[]): Promise<Result[][]>
  /** Whether the page is known to be offline after a call got no answer. */
  isOffline(): Promise<boolean>
  now(): number
}

/** The statuses that say nothing about single changes. After 412 the page may be loaded again. */
const failuresOfCall = [0, 412, 429, 502, 503, 504]

/** Whether no answer came in time. */
const isTimeout = (error: unknown) =>
  (problemFrom(error)?.cause as Error | undefined)?.name === 'TimeoutError'

/** Returns the function that sends all entries, in order. It returns whether some are left that another attempt may store. */
export function createSending(store: Store, entries: Entries, outcomes: Outcomes, connection: Connection) {
  const answered = createAnswering(store, entries, outcomes)
  /** How many entries are sent alone, because a call with several of them was rejected. */
  let alone = 0

  /** The requests of a batch, by mutation. Entries that have nothing left to change or can no longer be made are done. */
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
    if (status === 401 || status === 403) return false
    // The next attempt has a new connection.
    if (isTimeout(error) || (status === 0 && (await connection.isOffline()))) {
      outcomes.settleAll()
      return false
    }
    const ofCall = status !== undefined && failuresOfCall.includes(status)
    // Each is sent alone next, which shows the rejected one.
    if (!ofCall && sent.length > 1) {
      alone = sent.length
      return true
    }
    const mayPass = status !== undefined && (ofCall || isTemporary(status))
    const rejected = mayPass ? sent.filter((entry) => isExplained(entry, status)) : sent
    for (const entry of rejected) outcomes.reject(entry, error)
    // Their caller may take back the changes that were made after them.
    await new Promise((taken) => setTimeout(taken))
    return rejected.length === sent.length
  }

  /**
   * Whether the caller that made the change gets the failure, so that it is not sent again without being asked for. Typed text is sent
   * until there is an answer, and so is a change that is being taken back: the server may have it.
   */
  const isExplained = (entry: Entry, status: number) =>
    outcomes.isAwaited(entry.mutation) &&
    !(entry.typed && [0, 502, 504].includes(status)) &&
    outcomes.undoingOf(entry).length === 0

  return async (signal: AbortSignal): Promise<boolean> => {
    alone = 0
    while (!signal.aborted) {
      reread(store, entries, outcomes)
      const left = sendable(entries.inOrder(), store)
      const batch = nextBatch(alone > 0 ? left.slice(0, 1) : left)
      if (batch.length === 0) return false
      const requests = requestsOf(batch)
      if (requests.size === 0) continue
      const unsent = batch.filter(({ mutation, isSent }) => requests.has(mutation) && !isSent)
      outcomes.update(unsent, (held) => ({ ...held, isSent: true }))
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
        if (signal.aborted || !(await failed(sent(), error))) return true
      }
    }
    return true
  }
}
