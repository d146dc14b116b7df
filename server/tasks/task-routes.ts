import type { FastifyInstance } from 'fastify'
import { pageSize } from '#contract/limits.ts'
import { dependsOnToday, listNames, lists } from '#contract/lists.ts'
import { cursorHeader, cursorHeaders, cursorOf } from '../changes/change-log.ts'
import type { Kinds } from '../changes/item-kind.ts'
import { authorOf } from '../changes/locked-account.ts'
import type { AppContext } from '../context.ts'
import { HttpError } from '../errors.ts'
import { decodeCursor, encodeCursor } from '../http/cursor.ts'
import { route } from '../http/route.ts'
import { todayIn } from '../http/time-zone.ts'
import { allows } from '../sessions/scopes.ts'
import { keepListAnswers } from './list-answers.ts'
import { findPassedDays } from './passed-days.ts'
import { listQuery, partsOf } from './task-queries.ts'
import { deleteTask, findTask, insertTask, updateTask } from './task-writes.ts'

export function taskRoutes(app: FastifyInstance, context: AppContext, kinds: Kinds) {
  const { database, config } = context
  const quota = config.accountQuota
  const answer = keepListAnswers(config.listCacheSize)

  for (const name of listNames) {
    const list = lists[name]
    const findTasks = listQuery(list)
    const parts = partsOf(list)
    route(app, list.endpoint, (request, reply) => {
      const { session, query, headers } = request
      const { limit = pageSize.default, cursor = '' } = query
      const owner = session.userId
      const today = dependsOnToday(list) ? todayIn(headers['time-zone']) : ''
      const asked = [owner, name, today, limit, cursor].join(' ')
      return answer(reply, asked, cursorOf(session), async () => {
        const scope = { owner, list: name }
        const after = cursor ? decodeCursor(scope, parts, cursor) : undefined
        const { tasks, next, newest } = await findTasks(database.read, owner, { today, limit, after })
        const end = next ? `,"nextCursor":"${encodeCursor(scope, next)}"` : ''
        return { json: `{"lists":[${tasks.join()}]${end}}`, newest }
      })
    })
  }

  const limits = () => ({ quota, now: Date.now() })

  route(app, 'GET /tasks/:id', async ({ session, params }, reply) => {
    const task = await findTask(database.read, session.userId, params.id)
    if (!task) throw noSuchTask()
    reply.header('etag', `"${task.version}"`)
    return { task }
  })

  route(app, 'GET /tasks/:id/passed', async ({ session, params, headers }) => {
    const at = { today: todayIn(headers['time-zone']), now: Date.now() }
    const days = await findPassedDays(database.read, session.userId, params.id, at)
    if (!days) throw noSuchTask()
    return { days }
  })

  route(app, 'POST /list/addTask', async ({ session, body, headers }, reply) => {
    const mutation = headers['idempotency-key'] ?? null
    const { task, ...cursors } = await database.write(
      (db) => insertTask(db, authorOf(session), body, { ...limits(), mutation, kinds }),
      session.userId,
    )
    reply.headers(cursorHeaders(cursors))
    if (allows(session.scope, 'read')) return { task }
    return reply.type('application/json; charset=utf-8').send('{}')
  })

  route(app, 'PUT /list/updateTask/:id', async ({ session, params, body, headers }, reply) => {
    const match = headers['if-match']
    const base = match === undefined ? undefined : Number(match.replaceAll('"', ''))
    const updated = await database.write(
      (db) => updateTask(db, authorOf(session), params.id, body, { ...limits(), base }),
      session.userId,
    )
    if (!updated) throw noSuchTask()
    if (updated.isConflict) throw new HttpError('changed-elsewhere', {}, { current: updated.task })
    reply.headers(cursorHeaders(updated))
    return { task: updated.task }
  })

  route(app, 'DELETE /list/deleteTask/:id', async ({ session, params }, reply) => {
    const cursor = await database.write(
      (db) => deleteTask(db, authorOf(session), params.id, limits()),
      session.userId,
    )
    if (!cursor) throw noSuchTask()
    reply.header(cursorHeader, cursor)
    return {}
  })
}

/** The response is the same for a task of another user and for one that does not exist. */
const noSuchTask = () => new HttpError('no-such-task')
