import { problemFrom } from '../../api/client.ts'

/** Whether the same call can succeed later: the server was unreachable, overloaded or failed, or got a part of the call. */
export const isTemporary = (status: number): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500

/** Whether it is unknown what the call did: there was no answer, only that of a gateway, or the server wants more time. */
export const isUnanswered = (status: number): boolean =>
  [0, 408, 425, 429, 502, 503, 504].includes(status) || status >= 520

export const mayPass = (error: unknown): boolean => isTemporary(problemFrom(error)?.status ?? 400)
