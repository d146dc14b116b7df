import { ProblemError, problemFrom } from '../../api/client.ts'

/** The answer has another status than 200, the only success (specification section 7). */
export class NotConfirmedError extends Error {
  override message = 'The server did not confirm it.'
}

/** The failure, followed by the message of an exception (specification section 8). */
export const failureText = (text: string, error: unknown): string =>
  error instanceof NotConfirmedError ? text : `${text} ${(error as Error).message}`

export const problem = (status: number, detail: string) =>
  new ProblemError({ type: 'about:blank', title: '', status, detail })

export const deletedElsewhere = () => problem(404, 'It was deleted elsewhere.')

/** Also after the restore of a backup from before the item. */
export const unknownToServer = () => problem(404, 'The server no longer has it.')

export const changedElsewhere = () => problem(409, 'It was changed elsewhere. It is shown as it is now.')

/** The number of the change is unknown: another tab has sent it, or it was not stored. */
export const notUndoable = () => problem(409, 'It can no longer be undone.')

export const notAnswered = () => problem(0, 'The server has not answered the changes before it.')

export const notKept = () => problem(507, 'This browser has no space to keep it.')

/** A call that names no item is not found if the server does not have the call. */
export function throwIfUnsupported(error: unknown): never {
  if (!isGone(error)) throw error
  throw problem(501, 'The server does not support this.')
}

export const isGone = (error: unknown): boolean => problemFrom(error)?.status === 404

export const isUnreachable = (error: unknown): boolean => problemFrom(error)?.status === 0

/** Whether the result is unknown, because the call may have reached the server. */
export const gotNoAnswer = (error: unknown) => [0, 502, 504].includes(problemFrom(error)?.status ?? 200)
