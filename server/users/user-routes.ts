import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requestBytes } from '#contract/limits.ts'
import { loginSubjects, passwordSubjects } from '../attempts/policies.ts'
import type { Db } from '../database/schema.ts'
import { badRequest, forbidden, unauthorized } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { route } from '../route.ts'
import { authenticate, bearerToken } from '../sessions/authenticate.ts'
import { endOtherSessions, endSession, type Session, startSession } from '../sessions/session-queries.ts'
import { hashOf, newToken } from '../sessions/token.ts'
import { hashPassword } from './password.ts'
import { admit, register } from './registration.ts'
import { tryPassword } from './try-password.ts'
import {
  changePasswordHash,
  deleteUser,
  findCredentials,
  findOwnCredentials,
  normalizeEmail,
} from './user-queries.ts'

export function userRoutes(app: FastifyInstance, parts: Parts) {
  const { config, database } = parts
  const small = { bodyLimit: requestBytes.credentials }
  const owned = { ...small, onRequest: authenticate(parts) }
  const validated = { onRequest: authenticate(parts, forbidden) }

  route(app, 'GET /user/validate', validated, () => ({ valid: true }))

  route(app, 'POST /user/register', small, async (request) => {
    const { body, ip } = request
    await database.write((db) => admit(db, ip, config, Date.now()))
    const passwordHash = await hashPassword(body.password)
    const user = { name: body.name.trim(), email: normalizeEmail(body.email), passwordHash }
    const token = newToken()
    const userId = await database.write(async (db) => {
      const now = Date.now()
      const id = await register(db, user, config, now)
      await startSession(db, id, hashOf(token), now)
      return id
    })
    note(request, userId, 'signed up')
    return { token }
  })

  route(app, 'POST /user/login', small, async (request) => {
    const { body, ip } = request
    const email = normalizeEmail(body.email)
    const target = { subjects: loginSubjects(ip, email), find: (db: Db) => findCredentials(db, email) }
    const token = newToken()
    const account = await tryPassword(database, target, body.password, (db, userId) =>
      startSession(db, userId, hashOf(token), Date.now()),
    )
    if (!account) throw unauthorized('Email or password is wrong.')
    note(request, account.id, 'logged in')
    return { token }
  })

  // Whoever holds a token may end its session, as often as they like: a second try is no error.
  route(app, 'POST /user/logout', {}, async (request) => {
    const token = bearerToken(request)
    if (token) await database.write((db) => endSession(db, hashOf(token)))
    return {}
  })

  route(app, 'POST /user/changePassword', owned, async (request) => {
    const { body, session } = request
    const account = await tryPassword(database, own(session), body.currentPassword)
    if (!account) throw wrongPassword('currentPassword')
    const changed = await hashPassword(body.newPassword)
    await database.write(async (db) => {
      if (!(await changePasswordHash(db, account, changed))) throw wrongPassword('currentPassword')
      await endOtherSessions(db, account.id, session.tokenHash)
    })
    note(request, account.id, 'changed the password')
    return {}
  })

  route(app, 'POST /user/deleteAccount', owned, async (request) => {
    const { body, session } = request
    const account = await tryPassword(database, own(session), body.password, deleteUser)
    if (!account) throw wrongPassword('password')
    note(request, account.id, 'deleted the account')
    return {}
  })
}

/** Who did what to an account, for the log: an id, never a name or an email. */
const note = (request: FastifyRequest, user: string, event: string) =>
  request.log.info({ req: request, user }, event)

/** A session alone may have been left open on somebody else's machine, so these calls ask for the password again. */
const own = ({ userId }: Session) => ({
  subjects: passwordSubjects(userId),
  find: (db: Db) => findOwnCredentials(db, userId),
})

const wrongPassword = (field: string) => badRequest(field, 'is not right')
