import { ProblemError, problemFrom } from '../api/client.ts'

/** The server answered with another status than 200, the only one that is a success (specification section 7). */
class NotConfirmedError extends Error {
  override message = 'The server did not confirm it.'
}

/** The answer, if it confirms the write. */
export function confirmed<Answer extends { status: number }>(answer: Answer): Answer {
  if (answer.status !== 200) throw new NotConfirmedError()
  return answer
}

/** The text of a failure, followed by the error message when an exception occurred (specification section 8). */
export const failureText = (text: string, error: unknown): string =>
  error instanceof NotConfirmedError ? text : `${text} ${(error as Error).message}`

/** The change failed because the task no longer exists or is deleted. */
export const deletedElsewhere = () =>
  new ProblemError({ type: 'about:blank', title: 'Gone', status: 404, detail: 'It was deleted elsewhere.' })

/** The change failed because another device has changed the same fields. */
export const changedElsewhere = () =>
  new ProblemError({
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    detail: 'It was changed elsewhere. It is shown as it is now.',
  })

/** Whether the call failed because the task no longer exists. */
export const isGone = (error: unknown): boolean => problemFrom(error)?.status === 404
