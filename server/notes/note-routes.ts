import type { FastifyInstance } from 'fastify'
import { toInstant } from '#contract/fields.ts'
import { pageSize } from '#contract/limits.ts'
import { cursorHeader, cursorOf } from '../changes/change-log.ts'
import { authorOf } from '../changes/locked-account.ts'
import type { AppContext } from '../context.ts'
import { badRequest, HttpError } from '../errors.ts'
import { decodeCursor, encodeCursor } from '../http/cursor.ts'
import { route } from '../http/route.ts'
import { findNoteHistory } from './note-history.ts'
import { findNote, toNote, toSummary } from './note-kind.ts'
import { findNotes, findVersion, partsOf } from './note-queries.ts'

export function noteRoutes(app: FastifyInstance, context: AppContext) {
  const { read } = context.database

  route(app, 'GET /notes', async ({ session, query }, reply) => {
    const { limit = pageSize.default, cursor } = query
    const list = query.deleted ? 'deleted' : 'notes'
    // `deleted` is the list of deleted tasks.
    const scope = { owner: session.userId, list: query.deleted ? 'deleted notes' : 'notes' }
    const after = cursor ? decodeCursor(scope, partsOf(list), cursor) : undefined
    // Read before the notes, so the list contains all changes up to it.
    reply.header(cursorHeader, cursorOf(session))
    const { notes, next } = await findNotes(read, session.userId, list, { limit, after })
    return { notes: notes.map(toSummary), ...(next && { nextCursor: encodeCursor(scope, next) }) }
  })

  route(app, 'GET /notes/:id', async ({ session, params }) => {
    const note = await findNote(read, session.userId, params.id)
    if (!note) throw new HttpError('no-such-note')
    return { note: toNote(note) }
  })

  route(app, 'GET /notes/:id/versions', async ({ session, params, query: { cursor } }) => {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
      throw badRequest('cursor', 'unknown-cursor', 'must be a nextCursor that this call returned')
    const note = await findNote(read, session.userId, params.id)
    if (!note) throw new HttpError('no-such-note')
    return await findNoteHistory(
      read,
      authorOf(session),
      note,
      cursor === undefined ? undefined : Number(cursor),
    )
  })

  route(app, 'GET /notes/:id/versions/:seq', async ({ session, params }) => {
    const version = await findVersion(read, session.userId, params.id, params.seq)
    if (!version) throw new HttpError('no-such-version')
    const { seq, at, device, by, text } = version
    const own = device === authorOf(session).device
    return { version: { seq, at: toInstant(at), own, by, text } }
  })
}
