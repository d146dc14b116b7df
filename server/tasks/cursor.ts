import { hash } from 'node:crypto'
import { badRequest } from '../errors.ts'

/** Where a page ends: the last task's values in the columns the list is ordered by. */
export type Position = (string | number)[]

/** What a cursor is good for. Another owner's, or another list's, is refused like one that was made up. */
type Scope = { owner: string; list: string }

const tagLength = 12

export const encodeCursor = (scope: Scope, position: Position) => seal(scope, JSON.stringify(position))

/** The position that `encodeCursor` wrote for this scope, or a 400. */
export function decodeCursor(scope: Scope, cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString().slice(tagLength)
  // Compared as it was sent: base64 reads many texts as the same bytes, and only one of them was issued.
  if (seal(scope, text) !== cursor) {
    throw badRequest('cursor', 'must be a nextCursor that this list answered with')
  }
  return JSON.parse(text)
}

const seal = (scope: Scope, text: string) => Buffer.from(tag(scope, text) + text).toString('base64url')

/** No secret: a cursor gives access to nothing. The owner's id, which never leaves the server, keeps it from being made up by mistake. */
function tag({ owner, list }: Scope, text: string) {
  return hash('sha256', `${owner} ${list} ${text}`, 'base64url').slice(0, tagLength)
}
