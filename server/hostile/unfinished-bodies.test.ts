import { expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { farServerForTest } from '../testing/far-server.ts'
import { bearer, eventually, flood, listen, openRawClient } from '../testing/raw-client.ts'
import { aTask } from '../testing/test-client.ts'

const limit = 1_000_000

onEveryEngine('incomplete request bodies', (engine) => {
  async function start() {
    const { app, newUser } = await farServerForTest(engine, undefined, {}, { waitingBytes: limit })
    const authorization = bearer(await newUser())
    await listen(app)
    const post = (more: string) =>
      `POST ${apiBase}/list/addTask HTTP/1.1\r\nhost: localhost\r\n${authorization}` +
      `content-type: application/json\r\n${more}\r\n\r\n`
    return { app, post, waitingBytes: app.load.waitingBytes }
  }

  test('use no more than their limit: the largest one of the network with the most gets a 503 with Retry-After', async () => {
    const { app, post, waitingBytes } = await start()
    const half = `${post('content-length: 800000')}${' '.repeat(200_000)}`
    const clients = await flood(app, 12, half, '127.0.0.2')
    await eventually(() => app.load.connections.count).toBeLessThan(5)
    expect(waitingBytes.used).toBeLessThanOrEqual(limit)

    const other = await openRawClient(app, '127.0.0.3')
    const body = JSON.stringify({ ...aTask, body: 'x'.repeat(90_000) })
    const head = post(`connection: close\r\ncontent-length: ${body.length + 400_000}`)
    expect(await other.finish(`${head}${' '.repeat(400_000)}${body}`)).toEqual([200])

    for (const client of clients) client.leave()
    await eventually(() => waitingBytes.used).toBe(0)
  })

  test('count with their real cost: a body in many small chunks is a large one', async () => {
    const { app, post, waitingBytes } = await start()
    const client = await openRawClient(app)
    await client.send(post('transfer-encoding: chunked') + '1\r\n \r\n'.repeat(limit / 200))
    const answer = await client.readToEnd()
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 2[\s\S]*unfinished requests/)
    expect(waitingBytes.used).toBe(0)
  })
})
