import type { FastifyInstance } from 'fastify'
import { requestBytes } from '#contract/limits.ts'
import type { AppContext } from '../context.ts'
import { accountGone } from '../errors.ts'
import { route } from '../http/route.ts'
import { authenticate } from '../sessions/authenticate.ts'
import { changeSettings, findSettings } from './settings-queries.ts'

export function settingsRoutes(app: FastifyInstance, context: AppContext) {
  const { database } = context
  const owned = { bodyLimit: requestBytes.credentials, onRequest: authenticate(context) }

  route(app, 'GET /settings', owned, async ({ session }) => {
    const settings = await findSettings(database.read, session.userId)
    if (!settings) throw accountGone()
    return { settings }
  })

  route(app, 'PATCH /settings', owned, async ({ session, body }) => {
    const settings = await database.write(
      (db) => changeSettings(db, session.userId, body.settings),
      session.userId,
    )
    if (!settings) throw accountGone()
    return { settings }
  })
}
