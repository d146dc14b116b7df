import type { FastifyInstance } from 'fastify'
import { pageSize, searchLength } from '#contract/limits.ts'
import { wordsOf } from '#contract/search-rules.ts'
import { cursorHeader, cursorOf } from '../changes/change-log.ts'
import type { AppContext } from '../context.ts'
import { badRequest, HttpError, unavailable } from '../errors.ts'
import { createGate } from '../fairness/gate.ts'
import { networkOf, siteOf } from '../fairness/network.ts'
import { route } from '../http/route.ts'
import { searchItems } from './search-queries.ts'

export function searchRoutes(app: FastifyInstance, context: AppContext) {
  const { read } = context.database
  const inTurn = createSearchTurns()

  route(app, 'GET /search', async ({ session, query, ip }, reply) => {
    const { q, limit = pageSize.default } = query
    const words = wordsOf(q)
    if (words.length === 0) throw badRequest('q', 'blank', 'must contain a word')
    if (words.length > searchLength.words)
      throw badRequest('q', 'too-many', `must have at most ${searchLength.words} words`, {
        max: searchLength.words,
      })
    // A client closes the connection of an outdated search when its user types on.
    const isWanted = () => !reply.raw.destroyed
    const found = await inTurn(session.userId, ip, () =>
      searchItems(read, session.userId, { words, limit, isWanted }),
    )
    // The tasks were read later, so they show this change and all before it.
    reply.header(cursorHeader, cursorOf(session))
    return found
  })
}

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
    const groups = [`site ${siteOf(address)}`, `network ${networkOf(address)}`, `user ${owner}`]
    const result = account.last.then(() => inTurn(groups, work))
    account.last = result.catch(() => {})
    try {
      return await result
    } finally {
      if (--account.searches === 0) accounts.delete(owner)
    }
  }
}
