import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { AppContext } from '../context.ts'
import { type HttpError, unauthorized } from '../errors.ts'
import { failureLog } from '../http/failure-log.ts'
import { findSession, recordUse, type Session, type SessionLife } from './session-queries.ts'
import { sessionKeyOf } from './token.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`, so only in routes that use it. */
    session: Session
  }
}

const day = 86_400_000

export const sessionLife = ({ sessionDays }: Config): SessionLife => ({
  idle: sessionDays.idle * day,
  max: sessionDays.max * day,
})

const bearer = /^Bearer +([\w-]{1,128}) *$/i

/** Returns the bearer token of a request (RFC 6750) without verifying it. */
export const bearerToken = (request: FastifyRequest) => bearer.exec(request.headers.authorization ?? '')?.[1]

/**
 * Returns a hook that rejects requests without a valid token, with the error that `refuse` creates, and sets
 * `request.session`.
 */
export function authenticate(context: AppContext, refuse: (detail: string) => HttpError = unauthorized) {
  const life = sessionLife(context.config)
  const logFailure = failureLog()
  return async (request: FastifyRequest) => {
    const token = bearerToken(request)
    if (!token) throw refuse('Log in first: this call needs a token.')
    const now = Date.now()
    const key = sessionKeyOf(token)
    const session = key && (await findSession(context.database.read, key, life, now))
    if (!session) throw refuse('This token is not valid, or no longer. Log in again.')
    request.session = session
    if (session.stale) {
      context.database
        .write((db) => recordUse(db, session, now), session.userId)
        .catch((error) =>
          logFailure(
            request.server.log,
            'warn',
            { req: request },
            error,
            'the last use of a session was not noted',
          ),
        )
    }
  }
}
