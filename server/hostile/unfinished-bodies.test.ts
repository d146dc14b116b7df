import { expect, onTestFinished, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { startFarServer } from '../testing/far-server.ts'
import { eventually, listen, openRawClient } from '../testing/raw-client.ts'
import { aTask } from '../testing/test-client.ts'

const limit = 1_000_000

onEveryEngine('incomplete request bodies', (engine) => {
  async function start() {
    const server = await startFarServer(engine, undefined, {}, { waitingBytes: limit })
    onTestFinished(server.close)
    const { token } = await server.newUser()
    await listen(server.app)
    const post = (more: string) =>
      `POST ${apiBase}/list/addTask HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\n${more}\r\n\r\n`
    return { app: server.app, post, waitingBytes: server.app.load.waitingBytes }
  }

  test('use no more than their limit: the largest one of the network with the most gets a 503 with Retry-After', async () => {
    const { app, post, waitingBytes } = await start()
    const half = `${post('content-length: 800000')}${' '.repeat(200_000)}`
    const clients = await Promise.all(Array.from({ length: 12 }, () => openRawClient(app, '127.0.0.2')))
    let arrived = 0
    app.server.on('request', () => arrived++)
    for (const client of clients) await client.send(half)
    await eventually(() => arrived).toBe(12)
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
