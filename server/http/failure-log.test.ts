import type { FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ConnectionLost } from '../database/postgres/pool.ts'
import { failureLog } from './failure-log.ts'

test('a failure is logged in one short line, and those that follow are counted every ten seconds until there are none', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: unknown[] = []
  const log = { warn: (about: object, message: string) => lines.push({ ...about, message }) }
  const logFailure = failureLog()
  const fail = (about: object, error: Error) =>
    logFailure(log as unknown as FastifyBaseLogger, 'warn', about, error, 'the database failed')
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:5432')
  const lost = () => new ConnectionLost('the database cannot be reached', { cause })
  const reason = 'the database cannot be reached: connect ECONNREFUSED 127.0.0.1:5432'

  for (let i = 0; i < 1000; i++) fail({ status: 503, i }, lost())
  fail({ status: 503 }, new Error('another'))
  expect(lines).toEqual([
    { status: 503, i: 0, reason, message: 'the database failed' },
    { status: 503, reason: 'another', message: 'the database failed' },
  ])
  vi.advanceTimersByTime(10_000)
  expect(lines.slice(2)).toEqual([{ reason, times: 999, message: 'the failure was repeated' }])
  fail({}, lost())
  vi.advanceTimersByTime(20_000)
  expect(lines.slice(3)).toEqual([{ reason, times: 1, message: 'the failure was repeated' }])
  expect(vi.getTimerCount()).toBe(0)
  fail({ status: 503, i: 1 }, lost())
  expect(lines.slice(4)).toEqual([{ status: 503, i: 1, reason, message: 'the database failed' }])
})
