import type { FastifyInstance, FastifyReply } from 'fastify'
import { pageSize } from '#contract/limits.ts'
import type { PageQuery } from '#contract/tasks.ts'
import { notFound } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { serve } from '../serve.ts'
import { authenticate } from '../sessions/authenticate.ts'
import type { Session } from '../sessions/session-queries.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { keepListAnswers } from './list-answers.ts'
import {
  deleteTask,
  findTasks,
  insertTask,
  type List,
  latestList,
  priorityList,
  todayList,
  updateTask,
} from './task-queries.ts'
import { todayIn } from './time-zone.ts'

export function taskRoutes(app: FastifyInstance, parts: Parts) {
  const { database } = parts
  const owned = { onRequest: authenticate(parts) }
  const answer = keepListAnswers()

  serve(app, 'GET /list/getTodayTasks', owned, (request, reply) =>
    page(request, reply, todayList(todayIn(request.headers['time-zone']))),
  )
  serve(app, 'GET /list/getLatestTasks', owned, (request, reply) => page(request, reply, latestList))
  serve(app, 'GET /list/getHighPriorityTasks', owned, (request, reply) =>
    page(request, reply, priorityList('high')),
  )
  serve(app, 'GET /list/getMediumPriorityTasks', owned, (request, reply) =>
    page(request, reply, priorityList('medium')),
  )
  serve(app, 'GET /list/getLowPriorityTasks', owned, (request, reply) =>
    page(request, reply, priorityList('low')),
  )

  serve(app, 'POST /list/addTask', owned, async ({ session, body }) => ({
    task: await database.write((db) => insertTask(db, session.userId, body, Date.now())),
  }))

  serve(app, 'PUT /list/updateTask/:id', owned, async ({ session, params, body }) => {
    const task = await database.write((db) => updateTask(db, session.userId, params.id, body))
    if (!task) throw noSuchTask()
    return { task }
  })

  serve(app, 'DELETE /list/deleteTask/:id', owned, async ({ session, params }) => {
    const deleted = await database.write((db) => deleteTask(db, session.userId, params.id))
    if (!deleted) throw noSuchTask()
    return {}
  })

  function page(
    { session, query: { limit = pageSize.default, cursor = '' } }: { session: Session; query: PageQuery },
    reply: FastifyReply,
    list: List,
  ) {
    const owner = session.userId
    const key = [owner, session.tasksVersion, list.name, list.day, limit, cursor].join(' ')
    return answer(reply, key, async () => {
      const scope = { owner, list: list.name }
      const after = cursor ? decodeCursor(scope, cursor) : undefined
      const { tasks, next } = await findTasks(database.read, owner, list, { limit, after })
      return { lists: tasks, ...(next ? { nextCursor: encodeCursor(scope, next) } : {}) }
    })
  }
}

/** The same whether the task is somebody else's or nobody's. */
const noSuchTask = () => notFound('You have no task with this id.')
