import { ECDH } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { toInstant } from '#contract/fields.ts'
import type { AppContext } from '../context.ts'
import { databaseNow } from '../database/database-clock.ts'
import type { Db } from '../database/schema.ts'
import { badRequest, HttpError } from '../errors.ts'
import { route } from '../http/route.ts'
import { sessionLife } from '../sessions/authenticate.ts'
import { reachesApple } from './contact.ts'
import { press } from './press.ts'
import { knownPushKeys } from './push-keys.ts'
import { pushAddress } from './push-services.ts'
import { occurrenceOf } from './reminder-keys.ts'
import { isEnded, knownSubscriptions, subscribe, unsubscribe } from './subscriptions.ts'

export function reminderRoutes(app: FastifyInstance, { config, database }: AppContext) {
  const life = sessionLife(config)

  route(app, 'GET /reminders', async ({ session: { userId, tokenHash } }) => {
    const { publicKey, isOn } = await knownPushKeys(database)
    const found = await knownSubscriptions(database.read, [userId], life, Date.now())
      .orderBy('subscriptions.created_at', 'desc')
      .orderBy('subscriptions.id')
      .execute()
    const missed = await findMissed(database.read, userId)
    return {
      reminders: {
        key: publicKey,
        isOn,
        reachesApple: reachesApple(config),
        subscriptions: found
          .filter((each) => !isEnded(each))
          .map(({ id, name, created_at, endpoint, token_hash }) => ({
            ...{ id, name, endpoint },
            createdAt: toInstant(created_at),
            current: token_hash === tokenHash,
          })),
        hasEnded: found.some((each) => isEnded(each) && each.token_hash === tokenHash),
        missed: missed.map(({ item, at }) => ({ item, at: toInstant(at) })),
      },
    }
  })

  route(app, 'PUT /reminders/subscription', async ({ session, body, headers, host, protocol }) => {
    const { endpoint, keys } = body
    const address = pushAddress(endpoint, config.pushHosts)
    if (!address)
      throw badRequest(
        'endpoint',
        'not-a-push-service',
        'must be an https address of a known push service, or of a host in PUSH_HOSTS',
      )
    if (!isPoint(keys.p256dh))
      throw badRequest('keys/p256dh', 'not-a-push-key', 'must be a point of P-256 in base64url')
    if (Buffer.from(keys.auth, 'base64url').length !== 16)
      throw badRequest('keys/auth', 'not-a-push-key', 'must be 16 bytes in base64url')
    const origin = URL.parse(headers.origin ?? '')?.origin ?? `${protocol}://${host}`
    const given = { endpoint: address.href, ...keys, origin }
    const { userId } = session
    if (!(await database.write((db) => subscribe(db, session, given, Date.now()), userId)))
      throw new HttpError('token-invalid')
    return {}
  })

  route(app, 'DELETE /reminders/subscriptions/:id', async ({ session: { userId }, params }) => {
    if (!(await database.write((db) => unsubscribe(db, userId, params.id), userId)))
      throw new HttpError('no-such-subscription')
    return {}
  })

  route(app, 'DELETE /reminders/missed', async ({ session: { userId } }) => {
    await database.write((db) => forgetMissed(db, userId), userId)
    return {}
  })

  route(app, 'POST /reminders/press', async ({ body: { key, ...pressed } }) => {
    const { secret } = await knownPushKeys(database)
    const now = await databaseNow(database.read)
    const occurrence = occurrenceOf(secret, key, now)
    if (!occurrence) throw new HttpError('reminder-over')
    const limits = { quota: config.accountQuota, now, life }
    const applied = await database.write((db) => press(db, occurrence, pressed, limits), occurrence.userId)
    return { applied }
  })
}

/** Whether a text is an uncompressed point of the curve. */
function isPoint(text: string): boolean {
  try {
    const point = Buffer.from(text, 'base64url')
    return point.length === 65 && ECDH.convertKey(point, 'prime256v1').length === 65
  } catch {
    return false
  }
}

const mostMissed = 100

const findMissed = (db: Db, userId: string): Promise<{ item: string; at: number }[]> =>
  db
    .selectFrom('reminder_jobs')
    .select(['item', 'remind_at as at'])
    .where('user_id', '=', userId)
    .where('state', '=', sql.lit('missed'))
    .orderBy('remind_at', 'desc')
    .orderBy('item', 'desc')
    .limit(mostMissed)
    .execute()

const forgetMissed = (db: Db, userId: string) =>
  db.deleteFrom('reminder_jobs').where('user_id', '=', userId).where('state', '=', 'missed').execute()
