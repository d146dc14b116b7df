import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import type { Db } from '../database/schema.ts'
import { badRequest, HttpError } from '../errors.ts'
import { inNetworks, networkOf } from '../http/network.ts'
import { route } from '../http/route.ts'
import { findUser } from '../sessions/account-state.ts'
import { bearerToken, nameOf } from '../sessions/authenticate.ts'
import { endOtherSessions, endSession, type Session, startSession } from '../sessions/session-queries.ts'
import { hashOf, newToken, sessionKeyOf } from '../sessions/token.ts'
import { closeAccount } from './account-deletion.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { rememberSite } from './guesses.ts'
import { hashPassword } from './password.ts'
import { finishReset, isResetOpen } from './password-reset.ts'
import { admit, register } from './registration.ts'
import { tryPassword } from './try-password.ts'
import {
  findAccounts,
  findCredentials,
  guessedAccount,
  lockCredentials,
  normalizeEmail,
  setPasswordHash,
} from './user-queries.ts'

export function userRoutes(app: FastifyInstance, context: AppContext, onAccountClosed: () => void) {
  const { config, database } = context
  const isInOffice = inNetworks(config.officeNetworks)

  route(app, 'GET /user/validate', () => ({ valid: true }))

  route(app, 'POST /user/register', async (request) => {
    const { body, ip, hostname } = request
    await refuseCommonPassword('password', body.password)
    await admit(database, { address: ip, hostname }, config, request.log, Date.now())
    const passwordHash = await hashPassword(body.password, ip)
    const user = { name: body.name.trim().normalize('NFC'), email: normalizeEmail(body.email), passwordHash }
    const { userId, token } = await database.write(async (db) => {
      const now = Date.now()
      const userId = await register(db, user, config, now)
      const token = newToken(userId)
      await startSession(db, { userId, tokenHash: hashOf(token) }, { name: nameOf(request), now })
      await rememberSite(db, { account: userId, address: ip }, now)
      return { userId, token }
    }, networkOf(ip))
    logEvent(request, userId, 'signed up')
    return { token }
  })

  route(app, 'POST /user/login', async (request) => {
    const { body, ip } = request
    const accounts = await findAccounts(database.read, body.email)
    const account = guessedAccount(body.email, accounts)
    const guess = { account, address: ip, signedIn: false, isOffice: isInOffice(ip) }
    const target = { guess, find: (db: Db) => findCredentials(db, accounts), log: request.log }
    let token: string | undefined
    const found = await tryPassword(database, target, body.password, async (db, userId) => {
      // Read after the lock of the credentials.
      const { disabled_at } = await findUser(db, userId, ['disabled_at'])
      if (disabled_at !== null) return
      token = newToken(userId)
      const session = { userId, tokenHash: hashOf(token) }
      await startSession(db, session, { name: nameOf(request), now: Date.now() })
    })
    if (!found) throw new HttpError('wrong-credentials')
    if (token === undefined) throw new HttpError('account-disabled')
    logEvent(request, found.id, 'logged in')
    return { token }
  })

  // Idempotent: ending a session that has already ended is not an error.
  route(app, 'POST /user/logout', async (request) => {
    const key = sessionKeyOf(bearerToken(request) ?? '')
    if (key) await database.write((db) => endSession(db, key), networkOf(request.ip))
    return {}
  })

  route(app, 'POST /user/changePassword', async (request) => {
    const { body, session, ip } = request
    await refuseCommonPassword('newPassword', body.newPassword)
    const account = await tryPassword(database, own(request), body.currentPassword)
    if (!account) throw await notConfirmed(session, 'currentPassword')
    const passwordHash = await hashPassword(body.newPassword, ip)
    const changed = await database.write(async (db) => {
      if (!(await lockCredentials(db, account))) return false
      await setPasswordHash(db, account.id, passwordHash)
      await endOtherSessions(db, account.id, session.tokenHash)
      return true
    })
    if (!changed) throw await notConfirmed(session, 'currentPassword')
    logEvent(request, account.id, 'changed the password')
    return {}
  })

  route(app, 'POST /user/resetPassword', async (request) => {
    const { body, ip } = request
    const key = sessionKeyOf(body.token)
    // Before anything expensive: only whoever has a link makes the server hash.
    if (!key || !(await isResetOpen(database.read, key, Date.now()))) throw new HttpError('link-over')
    await refuseCommonPassword('newPassword', body.newPassword)
    const passwordHash = await hashPassword(body.newPassword, ip)
    const reset = { passwordHash, now: Date.now() }
    if (!(await database.write((db) => finishReset(db, key, reset), key.userId)))
      throw new HttpError('link-over')
    logEvent(request, key.userId, 'reset the password')
    return {}
  })

  route(app, 'POST /user/deleteAccount', async (request) => {
    const { body, session } = request
    const account = await tryPassword(database, own(request), body.password, (db, userId) =>
      closeAccount(db, userId, Date.now()),
    )
    if (!account) throw await notConfirmed(session, 'password')
    onAccountClosed()
    logEvent(request, account.id, 'deleted the account')
    return {}
  })

  /** The error for a wrong password. Throws if the account was deleted after the token was checked. */
  async function notConfirmed({ userId }: Session, field: string) {
    await findUser(database.read, userId, ['id'])
    return badRequest(field, 'wrong-password', 'is not right')
  }
}

/** Logs an event of an account, with its id and never a name or an email. */
const logEvent = (request: FastifyRequest, user: string, event: string) =>
  request.log.info({ req: request, user }, event)

/** These calls require the password again, because the session may be open on a shared computer. */
const own = ({
  session: { userId },
  ip,
  log,
}: { session: Session } & Pick<FastifyRequest, 'ip' | 'log'>) => ({
  guess: { account: userId, address: ip, signedIn: true, isOffice: false },
  find: (db: Db) => findCredentials(db, [userId]),
  log,
})
