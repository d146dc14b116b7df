import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { importName, importsPerCall, notesPerUser, tasksPerUser } from '#contract/limits.ts'
import { cursorHeader, openLog } from '../changes/change-log.ts'
import type { Kinds } from '../changes/item-kind.ts'
import { authorOf } from '../changes/locked-account.ts'
import type { AppContext } from '../context.ts'
import { rowsPerRemoval } from '../database/removals.ts'
import { badRequest, HttpError } from '../errors.ts'
import { rejectOtherPage } from '../http/page-version.ts'
import { route } from '../http/route.ts'
import { countNotes, noteKind } from '../notes/note-kind.ts'
import { taskKind } from '../tasks/task-kind.ts'
import { addItems } from './imported-items.ts'
import { addVersions } from './imported-versions.ts'
import { undoImport } from './undo-import.ts'

const kinds: Kinds = [taskKind, noteKind]

/** How many times as long as its work a call waits before its answer, so that the calls of others find the event loop free. */
const pausesPerCall = 2

/** In milliseconds. A call of few items is answered at once. */
const shortWork = 20

/** In milliseconds. A call that waited for others took longer than its work. */
const longestPause = 250

async function withPause<T>(work: Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work
  const worked = performance.now() - began
  if (worked > shortWork) await delay(Math.min(longestPause, pausesPerCall * worked))
  return result
}

export function importRoutes(app: FastifyInstance, { database, config }: AppContext) {
  const quota = config.accountQuota

  route(app, 'GET /import', async ({ session: { userId } }) => {
    const users = database.read.selectFrom('users').select(['task_count', 'stored_bytes'])
    const account = await users.where('id', '=', userId).executeTakeFirst()
    if (!account) throw new HttpError('account-gone')
    const notes = await countNotes(database.read, userId)
    return {
      room: {
        tasks: { stored: account.task_count, max: tasksPerUser },
        notes: { stored: notes, max: notesPerUser },
        bytes: { stored: account.stored_bytes, max: quota },
      },
    }
  })

  route(app, 'POST /import', async (request, reply) => {
    rejectOtherPage(request)
    const { session, body } = request
    const { userId } = session
    const { import: group, tasks = [], notes = [], versions = [] } = body
    const count = tasks.length + notes.length + versions.length
    if (count > importsPerCall)
      throw badRequest('request body', 'too-many', `must have at most ${importsPerCall} entries in all`)
    const writing = database.write(
      async (db) => {
        const now = Date.now()
        const log = await openLog(db, kinds, { userId, device: '', by: importName }, now)
        const items = await addItems(
          db,
          userId,
          log,
          [
            { kind: taskKind, list: 'tasks', items: tasks },
            { kind: noteKind, list: 'notes', items: notes },
          ],
          { kinds, group, now },
        )
        const added = await addVersions(db, userId, log, versions, now)
        const { cursor } = await log.save(quota)
        return { tasks: items.tasks ?? [], notes: items.notes ?? [], versions: added, cursor }
      },
      userId,
      count,
    )
    const { cursor, ...outcomes } = await withPause(writing)
    reply.header(cursorHeader, cursor)
    return outcomes
  })

  route(app, 'POST /import/undo', async (request, reply) => {
    rejectOtherPage(request)
    const { session, body } = request
    const undoing = database.write(
      (db) => undoImport(db, authorOf(session), body, { kinds, quota, now: Date.now() }),
      session.userId,
      rowsPerRemoval,
    )
    const { cursor, ...undone } = await withPause(undoing)
    reply.header(cursorHeader, cursor)
    return undone
  })
}
