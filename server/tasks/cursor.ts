import { hash } from 'node:crypto'
import { badRequest } from '../errors.ts'

/** Where a page ends: the last task's values in the columns the list is ordered by. */
export type Position = (string | number)[]

/** What a cursor is good for. Another owner's, or another list's, is refused like one that was made up. */
type Scope = { owner: string; list: string }

const tagLength = 12

export function encodeCursor(scope: Scope, position: Position): string {
  const text = JSON.stringify(position)
  return Buffer.from(tag(scope, text) + text).toString('base64url')
}

/** The position that `encodeCursor` wrote for this scope, or a 400. */
export function decodeCursor(scope: Scope, cursor: string): Position {
  const decoded = Buffer.from(cursor, 'base64url').toString()
  const text = decoded.slice(tagLength)
  if (decoded.slice(0, tagLength) !== tag(scope, text)) {
    throw badRequest('cursor', 'must be a nextCursor that this list answered with')
  }
  return JSON.parse(text)
}

/** No secret: a cursor gives access to nothing. The owner's id, which never leaves the server, keeps it from being made up by mistake. */
function tag({ owner, list }: Scope, text: string) {
  return hash('sha256', `${owner} ${list} ${text}`, 'base64url').slice(0, tagLength)
}
