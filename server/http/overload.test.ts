import { expect, onTestFinished, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { many } from '../testing/many-clients.ts'
import { openRawClient } from '../testing/raw-client.ts'
import { startServer } from '../testing/server-process.ts'

const post = `POST ${apiBase}/user/login HTTP/1.1\r\nhost: localhost\r\n`
const json = 'content-type: application/json\r\ncontent-length: 1000\r\n\r\n'

test('connections end by a 408 after 8 seconds if their headers come too slowly, and after 10 seconds if their bodies do', async () => {
  const server = await startServer({ DATABASE_URL: (await emptyDatabase('sqlite')).href })
  onTestFinished(async () => void (await server.stop('SIGKILL')))

  /** Opens a connection that sends its beginning, and then so little that it would never end. */
  async function sendSlowly(beginning: string, limit: number) {
    const opened = performance.now()
    const client = await openRawClient(new URL(server.api).origin)
    await client.send(beginning)
    const drip = setInterval(() => void client.send('x'), 500)
    expect(await client.readToEnd()).toMatch(/^HTTP\/1.1 408 [\s\S]*"status":408/)
    clearInterval(drip)
    const seconds = (performance.now() - opened) / 1000
    expect(seconds).toBeGreaterThan(limit - 0.5)
    // On an idle machine it takes a second more; without a limit, more than eight minutes.
    expect(seconds).toBeLessThan(240)
  }
  const headers = many(100, () => sendSlowly(`${post}x-slow: `, 8))
  const bodies = many(100, () => sendSlowly(`${post}${json}{`, 10))
  await Promise.all([...headers, ...bodies])
})
