import type { FastifyInstance } from 'fastify'
import { pageSize, searchLength } from '#contract/limits.ts'
import { wordsOf } from '#contract/search-rules.ts'
import { cursorHeader, cursorOf } from '../changes/change-log.ts'
import type { AppContext } from '../context.ts'
import { badRequest } from '../errors.ts'
import { route } from '../http/route.ts'
import { searchItems } from './search-queries.ts'
import { createSearchTurns } from './search-turns.ts'

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
