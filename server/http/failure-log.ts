import type { FastifyBaseLogger } from 'fastify'

/** The milliseconds after which the number of repeated failures is logged. */
const interval = 10_000

/** The longest part of a reason that distinguishes failures, in characters. */
const reasonLength = 200

type Level = 'info' | 'warn'

/**
 * Returns a function that logs the first of equal failures, and then every ten seconds how many more there were. Otherwise an
 * outage would log a line for each request. `reason` is one line for operators, without a stack.
 */
export function failureLog() {
  const repeats = new Map<string, number>()

  function report(log: FastifyBaseLogger, level: Level, reason: string) {
    const times = repeats.get(reason)
    if (!times) return repeats.delete(reason)
    log[level]({ reason, times }, 'the failure was repeated')
    repeats.set(reason, 0)
    return setTimeout(report, interval, log, level, reason).unref()
  }

  return (log: FastifyBaseLogger, level: Level, about: object, error: Error, message: string) => {
    const reason = reasonOf(error)
    const times = repeats.get(reason)
    if (times !== undefined) return repeats.set(reason, times + 1)
    repeats.set(reason, 0)
    log[level]({ ...about, reason }, message)
    return setTimeout(report, interval, log, level, reason).unref()
  }
}

function reasonOf({ message, cause, code }: Error & { code?: string }) {
  const parts = [message, ...(cause instanceof Error ? [cause.message] : []), ...(code ? [code] : [])]
  return parts.join(': ').slice(0, reasonLength)
}
