import { ProblemError, problemFrom } from '../../api/client.ts'

/** The server answered with another status than 200, the only one that is a success (specification section 7). */
export class NotConfirmedError extends Error {
  override message = 'The server did not confirm it.'
}

/** The text of a failure, followed by the error message when an exception occurred (specification section 8). */
export const failureText = (text: string, error: unknown): string =>
  error instanceof NotConfirmedError ? text : `${text} ${(error as Error).message}`

export const problem = (status: number, detail: string) =>
  new ProblemError({ type: 'about:blank', title: '', status, detail })

/** The change failed because the item is deleted. */
export const deletedElsewhere = () => problem(404, 'It was deleted elsewhere.')

/** The change failed because the item was deleted for good, or the server was restored to a time before it. */
export const unknownToServer = () => problem(404, 'The server no longer has it.')

/** The change failed because another device has changed the same fields. */
export const changedElsewhere = () => problem(409, 'It was changed elsewhere. It is shown as it is now.')

/**
 * The number of the change that was to be undone is not known, because another tab has sent the change, or because it was not
 * stored.
 */
export const notUndoable = () => problem(409, 'It can no longer be undone.')

/** The call was not made: the server has not answered the changes that were made before. */
export const notAnswered = () => problem(0, 'The server has not answered the changes before it.')

/** The change was not made: this browser has no space to keep it until the server has it. */
export const notKept = () => problem(507, 'This browser has no space to keep it.')

/** A call without an address of an item that is not found says nothing about the item: the server does not have the call. */
export function throwIfUnsupported(error: unknown): never {
  if (!isGone(error)) throw error
  throw problem(501, 'The server does not support this.')
}

/** Whether the call failed because the item no longer exists. */
export const isGone = (error: unknown): boolean => problemFrom(error)?.status === 404

/** Whether the call failed because there is no network. */
export const isUnreachable = (error: unknown): boolean => problemFrom(error)?.status === 0

/** Whether the result of a call is not known, because the call may have reached the server, directly or through a gateway. */
export const gotNoAnswer = (error: unknown): boolean =>
  [0, 502, 504].includes(problemFrom(error)?.status ?? 200)
