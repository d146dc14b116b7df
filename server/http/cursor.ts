import { hash } from 'node:crypto'
import { isDay } from '#contract/fields.ts'
import { isUuid } from '#contract/formats.ts'
import { badRequest } from '../errors.ts'

/** The end of a page: the last item's values in the fields that the list is ordered by. */
export type Position = (string | number)[]

/** The type of a value of a position. `small`: the rank of a priority, or 0 and 1 for false and true. */
export type Part = 'id' | 'day' | 'time' | 'instant' | 'number' | 'small'

/** The owner and the list that a cursor belongs to. A cursor of another owner or list is rejected as invalid. */
type Scope = { owner: string; list: string }

const tagLength = 12

export const encodeCursor = (scope: Scope, position: Position) => seal(scope, JSON.stringify(position))

/** Returns the position that `encodeCursor` has encoded for this scope. Throws a 400 for any other cursor. */
export function decodeCursor(scope: Scope, parts: readonly Part[], cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString().slice(tagLength)
  // Compares texts, because several base64 texts decode to the same bytes, and only one of them was issued.
  const position = seal(scope, text) === cursor ? parse(text, parts) : undefined
  if (!position)
    throw badRequest('cursor', 'unknown-cursor', 'must be a nextCursor that this list answered with')
  return position
}

/** A forged position can be any text. PostgreSQL fails for values that its columns cannot hold. */
function parse(text: string, parts: readonly Part[]): Position | undefined {
  try {
    const position: unknown = JSON.parse(text)
    const isPosition =
      Array.isArray(position) &&
      position.length === parts.length &&
      parts.every((part, index) => fits[part](position[index]))
    return isPosition ? position : undefined
  } catch {
    return undefined
  }
}

const fits: { [Name in Part]: (value: unknown) => boolean } = {
  id: (value) => typeof value === 'string' && isUuid(value),
  // Tasks of earlier versions can be due in any year that PostgreSQL has.
  day: (value) => typeof value === 'string' && isDay(value) && value >= '0001',
  time: (value) => typeof value === 'string' && /^\d{2}:\d{2}$/.test(value),
  instant: Number.isSafeInteger,
  number: (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31,
  small: (value) => [0, 1, 2, 3].some((small) => small === value),
}

const seal = (scope: Scope, text: string) => Buffer.from(tag(scope, text) + text).toString('base64url')

/** A checksum, not a signature: a cursor grants no access. It detects cursors that were changed or belong elsewhere. */
function tag({ owner, list }: Scope, text: string) {
  return hash('sha256', `${owner} ${list} ${text}`, 'base64url').slice(0, tagLength)
}
