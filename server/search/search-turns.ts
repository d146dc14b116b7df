import { HttpError, unavailable } from '../errors.ts'
import { groupsOf } from '../http/network.ts'
import { createGate } from '../turns/gate.ts'

/** The searches of one account that can wait for the one that runs. */
const waitingPerAccount = 4

/** Searches take more processor time than other calls, so networks take turns, and each account runs one search at a time. */
export function createSearchTurns() {
  const { inTurn } = createGate({ running: 4, waiting: 200 }, () => unavailable('too-many-searches', 2))
  const accounts = new Map<string, { searches: number; last: Promise<unknown> }>()

  return async function inTurnOf<T>(owner: string, address: string, work: () => Promise<T>): Promise<T> {
    const account = accounts.get(owner) ?? { searches: 0, last: Promise.resolve() }
    if (account.searches > waitingPerAccount) throw new HttpError('too-many-attempts', { seconds: 1 })
    accounts.set(owner, account)
    account.searches++
    const result = account.last.then(() => inTurn(groupsOf(address, owner), work))
    account.last = result.catch(() => {})
    try {
      return await result
    } finally {
      if (--account.searches === 0) accounts.delete(owner)
    }
  }
}
