import { problemFrom } from '../../api/client.ts'

/** Whether the same call can succeed later. The server was unreachable, overloaded or failed, or the call arrived in part. */
export const isTemporary = (status: number): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500

/**
 * Whether an answer with this status, or no answer, leaves open what the call did. A gateway without an answer does not know
 * whether the server has done it, or the server wants more time.
 */
export const isUnanswered = (status: number): boolean =>
  [0, 408, 425, 429, 502, 503, 504].includes(status) || status >= 520

/** Whether an attempt that failed like this can succeed later. */
export const mayPass = (error: unknown): boolean => isTemporary(problemFrom(error)?.status ?? 400)
