import type { FastifyInstance } from 'fastify'
import { requestBytes } from '#contract/limits.ts'
import { countAttempt, forgiveAttempt, type Subject } from '../attempts/attempts.ts'
import { loginSubjects, passwordSubjects } from '../attempts/policies.ts'
import { badRequest, forbidden, unauthorized } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { serve } from '../serve.ts'
import { authenticate, bearerToken } from '../sessions/authenticate.ts'
import { endOtherSessions, endSession, type Session, startSession } from '../sessions/session-queries.ts'
import { hashOf, newToken } from '../sessions/token.ts'
import { hashPassword, passwordMatches } from './password.ts'
import { admit, register } from './registration.ts'
import {
  changePasswordHash,
  deleteUser,
  findCredentials,
  findPasswordHash,
  normalizeEmail,
} from './user-queries.ts'

export function userRoutes(app: FastifyInstance, parts: Parts) {
  const { config, database } = parts
  const small = { bodyLimit: requestBytes.credentials }
  const owned = { ...small, onRequest: authenticate(parts) }
  const validated = { onRequest: authenticate(parts, forbidden) }

  serve(app, 'GET /user/validate', validated, () => ({ valid: true }))

  serve(app, 'POST /user/register', small, async ({ body, ip }) => {
    await database.write((db) => admit(db, ip, config, Date.now()))
    const passwordHash = await hashPassword(body.password)
    const user = { name: body.name.trim(), email: normalizeEmail(body.email), passwordHash }
    const token = newToken()
    await database.write(async (db) => {
      const now = Date.now()
      const userId = await register(db, user, config, now)
      await startSession(db, userId, hashOf(token), now)
    })
    return { token }
  })

  serve(app, 'POST /user/login', small, async ({ body, ip }) => {
    const email = normalizeEmail(body.email)
    const subjects = loginSubjects(ip, email)
    await database.write((db) => countAttempt(db, subjects, Date.now()))
    const user = await findCredentials(database.read, email)
    const matches = await passwordMatches(body.password, user?.passwordHash)
    if (!user || !matches) throw unauthorized('Email or password is wrong.')
    const token = newToken()
    await database.write(async (db) => {
      await forgiveAttempt(db, subjects)
      await startSession(db, user.id, hashOf(token), Date.now())
    })
    return { token }
  })

  // Whoever holds a token may end its session, as often as they like: a second try is no error.
  serve(app, 'POST /user/logout', {}, async (request) => {
    const token = bearerToken(request)
    if (token) await database.write((db) => endSession(db, hashOf(token)))
    return {}
  })

  serve(app, 'POST /user/changePassword', owned, async ({ body, session }) => {
    const { stored, subjects } = await confirmPassword(session, 'currentPassword', body.currentPassword)
    const changed = await hashPassword(body.newPassword)
    await database.write(async (db) => {
      await forgiveAttempt(db, subjects)
      if (!(await changePasswordHash(db, session.userId, stored, changed)))
        throw wrongPassword('currentPassword')
      await endOtherSessions(db, session.userId, session.tokenHash)
    })
    return {}
  })

  serve(app, 'POST /user/deleteAccount', owned, async ({ body, session }) => {
    await confirmPassword(session, 'password', body.password)
    await database.write((db) => deleteUser(db, session.userId))
    return {}
  })

  /** A session alone may have been left open on somebody else's machine. */
  async function confirmPassword({ userId }: Session, field: string, password: string) {
    const subjects: Subject[] = passwordSubjects(userId)
    await database.write((db) => countAttempt(db, subjects, Date.now()))
    const stored = await findPasswordHash(database.read, userId)
    const matches = await passwordMatches(password, stored)
    if (!stored || !matches) throw wrongPassword(field)
    return { stored, subjects }
  }
}

const wrongPassword = (field: string) => badRequest(field, 'is not the current password')
