import { hash } from 'node:crypto'
import { badRequest } from '../errors.ts'

/** The end of a page: the last item's values in the fields that the list is ordered by. */
export type Position = (string | number)[]

/** The owner and the list that a cursor belongs to. A cursor of another owner or list is rejected as invalid. */
type Scope = { owner: string; list: string }

const tagLength = 12

export const encodeCursor = (scope: Scope, position: Position) => seal(scope, JSON.stringify(position))

/** Returns the position that `encodeCursor` encoded for this scope; throws a 400 for any other cursor. */
export function decodeCursor(scope: Scope, cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString().slice(tagLength)
  // Compares the text and not its bytes: several base64 texts decode to the same bytes, and only one was issued.
  const position = seal(scope, text) === cursor ? parse(text) : undefined
  if (!position)
    throw badRequest('cursor', 'unknown-cursor', 'must be a nextCursor that this list answered with')
  return position
}

/** A forged position can be any text. An object would name other values of the query than those of the position. */
function parse(text: string): Position | undefined {
  try {
    const position: unknown = JSON.parse(text)
    return Array.isArray(position) && position.every(isValue) ? position : undefined
  } catch {
    return undefined
  }
}

const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number'

const seal = (scope: Scope, text: string) => Buffer.from(tag(scope, text) + text).toString('base64url')

/** A checksum, not a signature: a cursor grants no access. It detects cursors that were changed or belong elsewhere. */
function tag({ owner, list }: Scope, text: string) {
  return hash('sha256', `${owner} ${list} ${text}`, 'base64url').slice(0, tagLength)
}
