import { badRequest } from '../errors.ts'
import { cursorOf } from './change-log.ts'

/** A position in the log: the number and the id of a change. */
export type Position = { seq: number; head: string }

/** The last item that a first read has returned. A first read returns the items kind by kind, each ordered by id. */
export type Read = { kind: string; id: string }

/**
 * A parsed cursor.
 *
 * A response omits an item that is changed again after the position. The client then depends on that later change: if the log
 * loses it, the client must start again, although the log still contains the position. `seen` is the newest such change that
 * the responses so far may depend on. It is undefined if the responses depend on nothing after the position.
 *
 * During a first read, `after` is the last item that was returned.
 */
type Since = Position & { seen?: Position | undefined; after?: Read | undefined }

const uuid = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'
const number = String.raw`(\d{1,15})`
const pattern = new RegExp(`^${number}\\.${uuid}(?:\\.${number}\\.${uuid}(?:\\.([a-z]+)\\.${uuid})?)?$`)

export function decode(cursor: string): Since {
  const [, seq, head, seenSeq, seenHead, kind, id] = pattern.exec(cursor) ?? []
  if (!seq || !head) throw badRequest('since', 'unknown-cursor', 'must be a cursor that this server returned')
  const seen = seenSeq && seenHead ? { seq: Number(seenSeq), head: seenHead } : undefined
  const after = kind && id ? { kind, id } : undefined
  return { seq: Number(seq), head, seen, after }
}

/** Returns the cursor at `position`, and whether there are changes after it. `seen`: the newest of these. */
export function endAt(position: Position, seen: Position) {
  const more = position.seq < seen.seq
  return { cursor: more ? `${cursorOf(position)}.${cursorOf(seen)}` : cursorOf(position), more }
}

/** Returns the cursor of a first read that began at `position` and continues after `last`. */
export function endAfter(last: Read, position: Position, seen: Position) {
  return { cursor: `${cursorOf(position)}.${cursorOf(seen)}.${last.kind}.${last.id}`, more: true }
}
