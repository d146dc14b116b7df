import type { FastifyInstance } from 'fastify'
import { requestBytes } from '#contract/limits.ts'
import type { Database } from '../database/database.ts'
import { conflict, forbidden, unauthorized } from '../errors.ts'
import { serve } from '../serve.ts'
import { authenticate, bearerToken } from '../sessions/authenticate.ts'
import { endSession, startSession } from '../sessions/session-queries.ts'
import { hashOf, newToken } from '../sessions/token.ts'
import { hashPassword, passwordMatches } from './password.ts'
import { findCredentials, insertUser, normalizeEmail } from './user-queries.ts'

export function userRoutes(app: FastifyInstance, { database }: { database: Database }) {
  const small = { bodyLimit: requestBytes.credentials }

  serve(app, 'GET /user/validate', { onRequest: authenticate(database, forbidden) }, () => ({ valid: true }))

  serve(app, 'POST /user/register', small, async ({ body }) => {
    const user = {
      name: body.name.trim(),
      email: normalizeEmail(body.email),
      passwordHash: await hashPassword(body.password),
    }
    const token = newToken()
    await database.write(async (db) => {
      const now = Date.now()
      const userId = await insertUser(db, user, now)
      if (!userId) throw emailTaken()
      await startSession(db, userId, hashOf(token), now)
    })
    return { token }
  })

  serve(app, 'POST /user/login', small, async ({ body }) => {
    const user = await findCredentials(database.read, normalizeEmail(body.email))
    const matches = await passwordMatches(body.password, user?.passwordHash)
    if (!user || !matches) throw unauthorized('Email or password is wrong.')
    const token = newToken()
    await database.write((db) => startSession(db, user.id, hashOf(token), Date.now()))
    return { token }
  })

  // Whoever holds a token may end its session, as often as they like: a second try is no error.
  serve(app, 'POST /user/logout', {}, async (request) => {
    const token = bearerToken(request)
    if (token) await database.write((db) => endSession(db, hashOf(token)))
    return {}
  })
}

const emailTaken = () =>
  conflict('An account with this email already exists.', [
    { field: 'email', message: 'already has an account; log in instead' },
  ])
