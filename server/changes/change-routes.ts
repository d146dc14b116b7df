import type { FastifyInstance } from 'fastify'
import type { ChangeResults } from '#contract/changes.ts'
import type { AppContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { route } from '../http/route.ts'
import { authenticate } from '../sessions/authenticate.ts'
import { authorOf } from './account.ts'
import { change, type Result } from './change.ts'
import { cursorHeader } from './change-log.ts'
import { findDelta } from './delta.ts'
import { findHistory } from './history.ts'
import { allKinds } from './item-kinds.ts'
import { seqOf } from './later-changes.ts'
import { purge } from './purge.ts'
import { undo } from './undo.ts'

/** The calls of the change log: the general write, the changes since a cursor, undo, removal for good and history. */
export function changeRoutes(app: FastifyInstance, context: AppContext) {
  const { database, config } = context
  const owned = { onRequest: authenticate(context) }
  const limits = () => ({ quota: config.accountQuota, now: Date.now() })

  route(app, 'POST /changes', owned, async ({ session, body }, reply) => {
    const { results, cursor } = await database.write(
      (db) => change(db, authorOf(session), body.changes, limits()),
      session.userId,
    )
    reply.header(cursorHeader, cursor)
    return { results: results.map(toResult), cursor }
  })

  route(app, 'POST /changes/:seq/undo', owned, async ({ session, params, query }, reply) => {
    const { results, cursor } = await database.write(
      (db) => undo(db, authorOf(session), { seq: params.seq, group: query.group ?? false }, limits()),
      session.userId,
    )
    reply.header(cursorHeader, cursor)
    return { results: results.map(toResult), cursor }
  })

  route(app, 'POST /items/purge', owned, async ({ session, body }, reply) => {
    const purged: string[] = []
    for (const id of body.items) {
      const item = { owner: session.userId, kinds: allKinds, id }
      // Whenever it was deleted: the clock of the server that did so may be ahead.
      const cursor = await purge(database, item, Number.MAX_SAFE_INTEGER, Date.now())
      if (cursor === undefined) continue
      purged.push(id)
      reply.header(cursorHeader, cursor)
    }
    return { purged }
  })

  route(app, 'GET /changes', owned, ({ session, query }) => findDelta(database.read, session, query))

  route(app, 'GET /items/:id/history', owned, async ({ session, params, query }) => {
    const behind = query.cursor === undefined ? undefined : seqOf(query.cursor)
    const history = await findHistory(database.read, authorOf(session), params.id, behind)
    if (!history) throw notFound('You have no item with this id.')
    return history
  })
}

const toResult = ({ changed: _, ...result }: Result): ChangeResults['results'][number] => result
