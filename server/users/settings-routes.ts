import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context.ts'
import { HttpError } from '../errors.ts'
import { route } from '../http/route.ts'
import { changeSettings, findSettings } from './settings-queries.ts'

export function settingsRoutes(app: FastifyInstance, { database }: AppContext) {
  route(app, 'GET /settings', async ({ session }) => {
    const settings = await findSettings(database.read, session.userId)
    if (!settings) throw new HttpError('account-gone')
    return { settings }
  })

  route(app, 'PATCH /settings', async ({ session, body }) => {
    const settings = await database.write(
      (db) => changeSettings(db, session.userId, body.settings),
      session.userId,
    )
    if (!settings) throw new HttpError('account-gone')
    return { settings }
  })
}
