import type { FastifyInstance } from 'fastify'
import { toInstant } from '#contract/fields.ts'
import type { Token } from '#contract/tokens.ts'
import type { AppContext } from '../context.ts'
import { badRequest, HttpError } from '../errors.ts'
import { route } from '../http/route.ts'
import { hashOf } from '../sessions/token.ts'
import { findTokens, idOfToken, makeToken, revokeToken } from './token-queries.ts'

export function tokenRoutes(app: FastifyInstance, { database }: AppContext) {
  route(app, 'POST /tokens', async (request) => {
    const { session, body, log } = request
    const now = Date.now()
    const expiresAt = body.expiresAt == null ? null : Date.parse(body.expiresAt)
    if (expiresAt !== null && expiresAt <= now)
      throw badRequest('expiresAt', 'out-of-range', 'must be in the future')
    const values = { name: body.name.trim().normalize('NFC'), scope: body.scope, expiresAt }
    const token = await database.write((db) => makeToken(db, session, values, now), session.userId)
    log.info({ req: request, user: session.userId }, 'made a token')
    return { id: idOfToken(hashOf(token)), token }
  })

  route(app, 'GET /tokens', async ({ session }) => ({
    tokens: (await findTokens(database.read, session.userId, Date.now())).map((row) => ({
      id: idOfToken(row.token_hash),
      name: row.name,
      scope: row.scope as Token['scope'],
      createdAt: toInstant(row.created_at),
      lastUsedAt: row.last_used_at === null ? null : toInstant(row.last_used_at),
      expiresAt: row.expires_at === null ? null : toInstant(row.expires_at),
    })),
  }))

  route(app, 'DELETE /tokens/:id', async (request) => {
    const { session, params, log } = request
    const { userId } = session
    const isRevoked = await database.write((db) => revokeToken(db, userId, params.id, Date.now()), userId)
    if (!isRevoked) throw new HttpError('no-such-token')
    log.info({ req: request, user: userId }, 'revoked a token')
    return {}
  })
}
