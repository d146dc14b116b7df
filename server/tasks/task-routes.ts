import type { FastifyInstance } from 'fastify'
import { pageSize } from '#contract/limits.ts'
import { dependsOnToday, listNames, lists } from '#contract/lists.ts'
import type { AppContext } from '../context.ts'
import { notFound } from '../errors.ts'
import { route } from '../http/route.ts'
import { todayIn } from '../http/time-zone.ts'
import { authenticate } from '../sessions/authenticate.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { keepListAnswers } from './list-answers.ts'
import { findTasks } from './task-queries.ts'
import { deleteTask, insertTask, updateTask } from './task-writes.ts'

export function taskRoutes(app: FastifyInstance, context: AppContext) {
  const { database, config } = context
  const quota = config.accountQuota
  const owned = { onRequest: authenticate(context) }
  const answer = keepListAnswers(config.listCacheSize)

  for (const name of listNames) {
    const list = lists[name]
    route(app, list.endpoint, owned, (request, reply) => {
      const { session, query, headers } = request
      const { limit = pageSize.default, cursor = '' } = query
      const owner = session.userId
      const today = dependsOnToday(list) ? todayIn(headers['time-zone']) : ''
      const key = [owner, session.tasksVersion, name, today, limit, cursor].join(' ')
      return answer(reply, key, async () => {
        const scope = { owner, list: name }
        const after = cursor ? decodeCursor(scope, cursor) : undefined
        const { tasks, next } = await findTasks(database.read, owner, list, { today, limit, after })
        return { lists: tasks, ...(next ? { nextCursor: encodeCursor(scope, next) } : {}) }
      })
    })
  }

  route(app, 'POST /list/addTask', owned, async ({ session, body }) => ({
    task: await database.write(
      (db) => insertTask(db, session.userId, body, { quota, now: Date.now() }),
      session.userId,
    ),
  }))

  route(app, 'PUT /list/updateTask/:id', owned, async ({ session, params, body }) => {
    const task = await database.write(
      (db) => updateTask(db, session.userId, params.id, body, quota),
      session.userId,
    )
    if (!task) throw noSuchTask()
    return { task }
  })

  route(app, 'DELETE /list/deleteTask/:id', owned, async ({ session, params }) => {
    const deleted = await database.write((db) => deleteTask(db, session.userId, params.id), session.userId)
    if (!deleted) throw noSuchTask()
    return {}
  })
}

/** The response is the same for a task of another user and for one that does not exist. */
const noSuchTask = () => notFound('You have no task with this id.')
