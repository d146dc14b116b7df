import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Config } from '../config.ts'
import type { AppContext } from '../context.ts'
import { HttpError } from '../errors.ts'
import { failureLog } from '../http/failure-log.ts'
import { isAccountGone } from './account-state.ts'
import { clientName } from './client-name.ts'
import { type Allowed, allows } from './scopes.ts'
import { recordUse, type Session, type SessionLife } from './session-queries.ts'
import { sessionKeyOf } from './token.ts'
import { findSession } from './valid-credentials.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`. */
    session?: Session
  }
  interface FastifyInstance {
    /**
     * Returns a hook that sets `request.session`. It rejects requests without a valid token, or whose scope does not allow
     * this access. Later in the same request it checks again if that was long ago. `unauthorized`: the status without a
     * valid token, if it is not 401.
     */
    authenticate(
      access: Allowed,
      unauthorized?: 403 | 404,
      tokenOf?: (request: FastifyRequest) => string | undefined,
    ): onRequestAsyncHookHandler
  }
}

const day = 86_400_000

/** How long a request goes on, in milliseconds, before its credential is checked again: a stream notices its end as soon. */
const checkedFor = 1000

export const sessionLife = ({ sessionDays }: Config): SessionLife => ({
  idle: sessionDays.idle * day,
  max: sessionDays.max * day,
})

const bearer = /^Bearer +([\w-]{1,128}) *$/i

/** Returns the bearer token of a request (RFC 6750) without verifying it. */
export const bearerToken = (request: FastifyRequest) => bearer.exec(request.headers.authorization ?? '')?.[1]

export const nameOf = ({ headers }: FastifyRequest) => clientName(headers['user-agent'])

/** Lets `route` authenticate the callers of the calls that are registered later. */
export function authenticateCallers(app: FastifyInstance, { config, database }: AppContext) {
  const life = sessionLife(config)
  const logFailure = failureLog()

  function noteUse(request: FastifyRequest, session: Session, now: number) {
    database
      .write((db) => recordUse(db, session, { name: nameOf(request), now }), session.userId)
      .catch((error) =>
        logFailure(app.log, 'warn', { req: request }, error, 'the last use of a session was not noted'),
      )
  }

  app.decorate('authenticate', (access, status, tokenOf = bearerToken) => async (request) => {
    const now = Date.now()
    if (request.session && now - request.session.checkedAt < checkedFor) return
    const refusal = status ? { status } : {}
    const token = tokenOf(request)
    if (!token) throw new HttpError('token-missing', {}, refusal)
    const key = sessionKeyOf(token)
    const session = key && (await findSession(database.read, key, life, now))
    if (!session) {
      // The page then forgets the account, and not only the session.
      const isGone = key && (await isAccountGone(database.read, key.userId))
      throw new HttpError(isGone ? 'account-gone' : 'token-invalid', {}, refusal)
    }
    if (!allows(session.scope, access)) throw new HttpError('scope-too-narrow')
    request.session = session
    if (session.stale) noteUse(request, session, now)
  })
}
