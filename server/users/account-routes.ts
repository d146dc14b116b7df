import type { FastifyInstance } from 'fastify'
import { toInstant, uuidOf } from '#contract/fields.ts'
import type { AppContext } from '../context.ts'
import { HttpError } from '../errors.ts'
import { route } from '../http/route.ts'
import { sessionLife } from '../sessions/authenticate.ts'
import { endOtherSessions, endSession, findOwnSessions, type Session } from '../sessions/session-queries.ts'
import { idOf } from '../sessions/token.ts'

export function accountRoutes(app: FastifyInstance, { config, database }: AppContext) {
  const life = sessionLife(config)
  const sessionsOf = ({ userId }: Session) => findOwnSessions(database.read, userId, life, Date.now())

  route(app, 'GET /account', async ({ session }) => {
    const users = database.read.selectFrom('users').select(['name', 'email'])
    const user = await users
      .where('id', '=', session.userId)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (!user) throw new HttpError('account-gone')
    const sessions = (await sessionsOf(session)).map(({ token_hash, name, created_at, last_used_at }) => ({
      id: uuidOf(idOf(token_hash)),
      name,
      createdAt: toInstant(created_at),
      lastUsedAt: toInstant(last_used_at),
      current: token_hash === session.tokenHash,
    }))
    return { account: { ...user, sessions } }
  })

  route(app, 'DELETE /account/sessions/:id', async ({ session, params }) => {
    const ended = (await sessionsOf(session)).find(({ token_hash }) => uuidOf(idOf(token_hash)) === params.id)
    if (!ended) throw new HttpError('no-such-session')
    const { userId } = session
    await database.write((db) => endSession(db, { userId, tokenHash: ended.token_hash }), userId)
    return {}
  })

  route(app, 'DELETE /account/sessions', async ({ session: { userId, tokenHash } }) => {
    await database.write((db) => endOtherSessions(db, userId, tokenHash), userId)
    return {}
  })
}
