import type { FastifyInstance } from 'fastify'
import type { ChangeResults } from '#contract/changes.ts'
import { changesPerGroup } from '#contract/limits.ts'
import type { AppContext } from '../context.ts'
import { isOtherPage, rejectOtherPage } from '../http/page-version.ts'
import { route } from '../http/route.ts'
import { todayIn } from '../http/time-zone.ts'
import { change, type Mutation, type Result } from './change.ts'
import { cursorHeader, cursorHeaders } from './change-log.ts'
import { findDelta } from './delta.ts'
import type { Kinds } from './item-kind.ts'
import { authorOf } from './locked-account.ts'
import { purge } from './purge-items.ts'
import { undo } from './undo-changes.ts'

export function changeRoutes(app: FastifyInstance, context: AppContext, kinds: Kinds) {
  const { database, config } = context
  const scope = (headers: { 'time-zone'?: string }) => ({
    ...{ kinds, quota: config.accountQuota, now: Date.now(), today: todayIn(headers['time-zone']) },
  })

  route(app, 'POST /changes', async (request, reply) => {
    rejectOtherPage(request)
    const { session, body, headers } = request
    // The schema sets the kind of a change that names none.
    const { items, ...cursors } = await database.write(
      (db) => change(db, authorOf(session), body.changes as Mutation[], scope(headers)),
      session.userId,
      body.changes.length,
    )
    reply.headers(cursorHeaders(cursors))
    // After all changes, as in the response to a repeat.
    const last = new Map(items.map(({ item }, index) => [body.changes[index]?.item, item]))
    const shown = items.map((each, index) => ({ ...each, item: last.get(body.changes[index]?.item) ?? null }))
    return { items: shown.map(withoutChanged), cursor: cursors.cursor }
  })

  route(app, 'POST /changes/:seq/undo', async (request, reply) => {
    rejectOtherPage(request)
    const { session, params, query, headers } = request
    const change = {
      seq: params.seq,
      group: query.group ?? false,
      mutation: headers['idempotency-key'] ?? null,
    }
    const { items, ...cursors } = await database.write(
      (db) => undo(db, authorOf(session), change, scope(headers)),
      session.userId,
      change.group ? changesPerGroup : 1,
    )
    reply.headers(cursorHeaders(cursors))
    return { items: items.map(withoutChanged), cursor: cursors.cursor }
  })

  route(app, 'POST /items/purge', async ({ session, body }, reply) => {
    const purged: string[] = []
    for (const id of body.items) {
      const item = { author: authorOf(session), kinds, id }
      // Whatever the time of its deletion: the clock of the server that deleted it may be ahead.
      const cursor = await purge(database, item, Number.MAX_SAFE_INTEGER, Date.now())
      if (cursor === undefined) continue
      purged.push(id)
      reply.header(cursorHeader, cursor)
    }
    return { purged }
  })

  // Every page understands `reset`: it loads its lists again.
  route(app, 'GET /changes', (request) =>
    isOtherPage(request) ? { reset: true } : findDelta(database.read, kinds, request.session, request.query),
  )
}

const withoutChanged = ({ changed: _, ...result }: Result) => result as ChangeResults['items'][number]
