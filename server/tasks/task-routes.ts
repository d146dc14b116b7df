import type { FastifyInstance } from 'fastify'
import { pageSize } from '#contract/limits.ts'
import type { PageQuery, TaskPage } from '#contract/tasks.ts'
import type { Database } from '../database/database.ts'
import { notFound } from '../errors.ts'
import { serve } from '../serve.ts'
import { authenticate } from '../sessions/authenticate.ts'
import type { Session } from '../sessions/session-queries.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
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

export function taskRoutes(app: FastifyInstance, { database }: { database: Database }) {
  const owned = { onRequest: authenticate(database) }

  serve(app, 'GET /list/getTodayTasks', owned, ({ session, query, headers }) =>
    page(session, todayList(todayIn(headers['time-zone'])), query),
  )
  serve(app, 'GET /list/getLatestTasks', owned, ({ session, query }) => page(session, latestList, query))
  serve(app, 'GET /list/getHighPriorityTasks', owned, ({ session, query }) =>
    page(session, priorityList('high'), query),
  )
  serve(app, 'GET /list/getMediumPriorityTasks', owned, ({ session, query }) =>
    page(session, priorityList('medium'), query),
  )
  serve(app, 'GET /list/getLowPriorityTasks', owned, ({ session, query }) =>
    page(session, priorityList('low'), query),
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

  async function page(
    { userId: owner }: Session,
    list: List,
    { limit = pageSize.default, cursor }: PageQuery,
  ): Promise<TaskPage> {
    const scope = { owner, list: list.name }
    const after = cursor === undefined ? undefined : decodeCursor(scope, cursor)
    const { tasks, next } = await findTasks(database.read, owner, list, { limit, after })
    return { lists: tasks, ...(next ? { nextCursor: encodeCursor(scope, next) } : {}) }
  }
}

/** The same whether the task is somebody else's or nobody's. */
const noSuchTask = () => notFound('You have no task with this id.')
