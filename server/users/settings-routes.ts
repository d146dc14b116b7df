import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context.ts'
import { route } from '../http/route.ts'
import { findSettings } from '../sessions/account-state.ts'
import { changeSettings } from './settings-queries.ts'

export function settingsRoutes(app: FastifyInstance, { database }: AppContext) {
  route(app, 'GET /settings', async ({ session }) => ({
    settings: await findSettings(database.read, session.userId),
  }))

  route(app, 'PATCH /settings', async ({ session: { userId }, body }) => ({
    settings: await database.write((db) => changeSettings(db, userId, body.settings), userId),
  }))
}
