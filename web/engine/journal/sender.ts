import { problemFrom } from '../../api/client.ts'
import type { Entry } from '../entry.ts'
import type { Connection } from '../store/page-connection.ts'
import type { Store } from '../store/store.ts'
import type { Fetching } from '../store/task-lists.ts'
import { isTemporary, isUnanswered } from '../sync/retry-delay.ts'
import type { Entries, Result } from './entries.ts'
import type { Outcomes } from './outcomes.ts'
import { nextBatch, type Request, requestOf, sendable } from './requests.ts'
import { createWays } from './ways.ts'

export type Transport = {
  /** Sends changes or one undo, and returns the results of each: several for an undo of a group, none if a list has the outcome. */
  send(requests: Request[]): Promise<Result[][]>
  now(): number
  /** One tab at a time. */
  exclusively(work: () => Promise<void>, signal: AbortSignal): Promise<void>
  wait(failures: number, signal: AbortSignal): Promise<void>
}

/** Whether a status concerns the call and not its entries: unanswered, or another session or build of the page is required. */
const isOfWholeCall = (status: number) => isUnanswered(status) || [401, 403, 412].includes(status)

type Parts = { store: Store; entries: Entries; outcomes: Outcomes }

/** Sends the entries in order, as soon as some can be sent, and again after a failure. */
export function createSender({ store, entries, outcomes }: Parts, transport: Transport) {
  const { wait } = transport
  /** The number of entries that are sent one by one, because a call with all of them was rejected. */
  let alone = 0
  let wake: (() => void) | undefined
  let failure: unknown
  let isOtherSending = false
  const left = () => sendable(entries.inOrder(), store)

  /** The requests of a batch, by mutation. Entries that change nothing are done, and impossible ones are rejected. */
  function requestsOf(batch: readonly Entry[]) {
    const requests = new Map<string, Request>()
    for (const entry of batch) {
      try {
        const request = requestOf(entry, store, transport.now())
        if (request) requests.set(entry.mutation, request)
        else outcomes.answered([entry])
      } catch (error) {
        outcomes.reject(entry, error)
      }
    }
    return requests
  }

  async function failed(sent: readonly Entry[], error: unknown): Promise<boolean> {
    const status = problemFrom(error)?.status
    if (status !== undefined && isOfWholeCall(status)) {
      outcomes.settleAll()
      return false
    }
    // Sending one by one shows which entry is rejected.
    if (sent.length > 1) {
      alone = sent.length
      return true
    }
    for (const entry of sent) {
      const mayPass = status !== undefined && isTemporary(status)
      // If the caller tells the failure, the change is not sent again, unless it is being undone.
      const isExplained = outcomes.hasWaiter(entry.mutation) && outcomes.undoingOf(entry).length === 0
      if (mayPass && !isExplained) return false
      outcomes.reject(entry, error)
    }
    // The caller may take back later changes.
    await new Promise((taken) => setTimeout(taken))
    return true
  }

  /** Sends all entries. Returns why, if some are left for another attempt. */
  async function sendAll(signal: AbortSignal): Promise<unknown> {
    alone = 0
    while (!signal.aborted) {
      await outcomes.reread()
      const batch = nextBatch(alone > 0 ? left().slice(0, 1) : left())
      if (batch.length === 0) return
      const requests = requestsOf(batch)
      if (requests.size === 0) continue
      const unsent = batch.filter(({ mutation, status }) => requests.has(mutation) && status === 'new')
      outcomes.update(unsent, (held) => ({ ...held, status: 'sent' }))
      const sent = (results?: Result[][]) =>
        [...requests.keys()].flatMap((mutation, index) => {
          const [entry, answer] = [entries.get(mutation), results?.[index]]
          return entry ? [{ ...entry, ...(answer?.length && { answer }) }] : []
        })
      try {
        const results = await transport.send([...requests.values()])
        alone = Math.max(0, alone - 1)
        outcomes.answered(sent(results))
      } catch (error) {
        if (signal.aborted || !(await failed(sent(), error))) return error
      }
    }
    return signal.reason
  }

  async function pause(failures: number, signal: AbortSignal) {
    const ended = new AbortController()
    await new Promise<void>((resolve) => {
      wake = () => {
        ended.abort()
        resolve()
      }
      signal.addEventListener('abort', wake, { signal: ended.signal })
      if (failures > 0) wait(failures, ended.signal).then(resolve)
      else if (left().length > 0) resolve()
    })
    ended.abort()
  }

  return {
    left,
    wake: () => wake?.(),
    wakeIfReady: () => void (failure === undefined && left().length > 0 && wake?.()),
    failure: () => failure,

    /** Another tab sends the remaining entries, unless it ends. */
    async wakeLater(signal: AbortSignal) {
      if (isOtherSending) return
      isOtherSending = true
      await wait(1, signal)
      isOtherSending = false
      wake?.()
    },

    async run(signal: AbortSignal) {
      for (let failures = 0; !signal.aborted; ) {
        failure = undefined
        const send = async () => {
          failure = await sendAll(signal)
        }
        await transport.exclusively(send, signal).catch((error) => {
          failure = error
          if (!signal.aborted) console.error(error)
        })
        failures = failure === undefined ? 0 : failures + 1
        entries.tell()
        await pause(failures, signal)
      }
    },
  }
}

/** How the changes of an account reach the server, from one tab of the browser. */
export function createTransport({
  connection: { outdated },
  ...fetching
}: Fetching & { connection: Connection }): Transport {
  const { account, isVisible, locks, now, onWake, wait } = fetching.needs
  const ways = createWays(fetching)
  return {
    async send(requests) {
      try {
        const results = await ways.send(requests)
        outdated.setState(false, true)
        return results
      } catch (error) {
        outdated.setState(problemFrom(error)?.status === 412, true)
        throw error
      }
    },
    async exclusively(work, signal) {
      if (locks) return await locks.request(`daymark-outbox ${account}`, { signal }, work)
      // Without HTTPS there are no locks, so hidden tabs do not send.
      while (!isVisible() && !signal.aborted)
        await new Promise((shown) => onWake(() => shown(undefined), signal))
      await work()
    },
    wait,
    now,
  }
}
