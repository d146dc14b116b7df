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

/** How changes reach the server, and how tabs take turns. */
export type Transport = {
  /**
   * Sends several changes, or one undo, and returns the results of each. The undo of a group has several results. If a list tells the
   * outcome of a change, the change has none. Throws a ProblemError.
   */
  send(requests: Request[]): Promise<Result[][]>
  now(): number
  /** Runs the work while no other tab does. */
  exclusively(work: () => Promise<void>, signal: AbortSignal): Promise<void>
  /** Waits before another attempt. */
  wait(failures: number, signal: AbortSignal): Promise<void>
}

/**
 * Whether the answer says nothing about single entries. The server may have done all or nothing of the call, or it wants another session or
 * another build of the page.
 */
const isOfCall = (status: number) => isUnanswered(status) || [401, 403, 412].includes(status)

type Parts = { store: Store; entries: Entries; outcomes: Outcomes }

/** Sends the entries whenever there are some that can be sent, in order, and after a failure again later. */
export function createSender({ store, entries, outcomes }: Parts, transport: Transport) {
  const { wait } = transport
  /** How many entries are sent alone, because a call with several of them was rejected. */
  let alone = 0
  let wake: (() => void) | undefined
  /** Why another attempt is waited for. */
  let failure: unknown
  let isOtherSending = false
  const left = () => sendable(entries.inOrder(), store)

  /** The requests of a batch, by mutation. An entry that has nothing left to change is done. One that can no longer be made is rejected. */
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
      // A change whose caller tells its failure is not sent again by itself, unless it is being taken back.
      const isExplained = outcomes.hasWaiter(entry.mutation) && outcomes.undoingOf(entry).length === 0
      if (mayPass && !isExplained) return false
      outcomes.reject(entry, error)
    }
    // Their caller may take back the changes that were made after them.
    await new Promise((taken) => setTimeout(taken))
    return true
  }

  /** Sends all entries. If some are left that another attempt may store, it returns why. */
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
      /** With the result, if the server has applied it. */
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

  /** Waits for an entry, or after a failure for the time of the next attempt. */
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

    /** The other tab sends the remaining entries, unless it has ended. */
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
      // A page that is not secure has no locks, so tabs in the background do not send.
      while (!isVisible() && !signal.aborted)
        await new Promise((shown) => onWake(() => shown(undefined), signal))
      await work()
    },
    wait,
    now,
  }
}
