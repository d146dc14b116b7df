import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { many } from '../testing/many-clients.ts'
import { addHanging } from '../testing/raw-client.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'
import { serverForTest } from '../testing/test-server.ts'

const post = `POST ${apiBase}/user/login HTTP/1.1\r\nhost: localhost\r\n`
const json = 'content-type: application/json\r\ncontent-length: 1000\r\n\r\n'

/** A connection that sends its beginning, and then so little that it would never end. */
function openSlowly(origin: string, beginning: string) {
  const opened = performance.now()
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  socket.on('error', () => {})
  socket.write(beginning)
  const drip = setInterval(() => socket.writable && socket.write('x'), 500)
  const closed = once(socket, 'close').then(() => {
    clearInterval(drip)
    return { answer, seconds: (performance.now() - opened) / 1000 }
  })
  return { socket, closed }
}

describe('a server', () => {
  let server: ServerProcess
  let origin: string
  let slow: { headers: ReturnType<typeof openSlowly>[]; bodies: ReturnType<typeof openSlowly>[] }

  // The slow connections are opened first, so that all wait at the same time.
  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: (await emptyDatabase('sqlite')).href })
    origin = new URL(server.api).origin
    slow = {
      headers: many(100, () => openSlowly(origin, `${post}x-slow: `)),
      bodies: many(100, () => openSlowly(origin, `${post}${json}{`)),
    }
  })
  afterAll(() => server.stop('SIGKILL'))

  test.each([
    ['headers', 8],
    ['bodies', 10],
  ] as const)('ends connections whose %s come too slowly after %i seconds, by a 408', async (what, limit) => {
    for (const { answer, seconds } of await Promise.all(slow[what].map(({ closed }) => closed))) {
      expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"status":408/)
      expect(seconds).toBeGreaterThan(limit - 0.5)
      // On an idle machine it takes a second more; without a limit, more than eight minutes.
      expect(seconds).toBeLessThan(240)
    }
  })
})

test('requests up to the limit are processed at once, and the next one is rejected with Retry-After; health checks are not limited', async () => {
  const server = await serverForTest('sqlite')
  const hanging = addHanging(server.app)
  const answers = many(1999, () => server.app.inject('/hang'))
  await expect.poll(() => hanging.begun).toBe(1999)
  expect((await server.call('POST /user/login', { body: {} })).status).toBe(400)
  answers.push(server.app.inject('/hang'))
  await expect.poll(() => hanging.begun).toBe(2000)
  const refused = await server.call('GET /user/validate')
  expect([refused.status, refused.headers['retry-after'], refused.json.status]).toEqual([503, '2', 503])
  for (const url of ['/livez', '/readyz']) expect((await server.app.inject(url)).statusCode).toBe(200)

  hanging.release()
  expect(new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect((await server.call('GET /user/validate')).status).toBe(403)
})
