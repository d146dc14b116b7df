import { problemFrom } from '../api/client.ts'
import { NotConfirmedError } from '../store/change-errors.ts'

/** The text of a failure, followed by the error message when an exception occurred (specification section 8). */
export const failureText = (text: string, error: unknown): string =>
  error instanceof NotConfirmedError ? text : `${text} ${(error as Error).message}`

/** Whether the call failed because there is no network. */
export const isUnreachable = (error: unknown): boolean => problemFrom(error)?.status === 0

/** Whether the result of a call is not known: it may have reached the server, itself or through a gateway. */
export const gotNoAnswer = (error: unknown): boolean =>
  [0, 502, 504].includes(problemFrom(error)?.status ?? 200)
