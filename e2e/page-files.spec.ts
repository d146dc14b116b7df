import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from './fixtures.ts'

/** Unlike a browser, sends the path as it is written here. */
async function ask(method: string, path: string, address: string) {
  const { port } = new URL(address)
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { 'x-marker': 'from the client' },
  }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: await text(answer) }
}

test('No path leads out of the folder of the page, lists one or returns a request', async ({ server }) => {
  const up = ['..', '%2e%2e', '.%2e', '%252e%252e', '..%00', '..;']
  const slash = ['/', '%2f', '%5c', '\\', '//']
  const targets = ['package.json', 'server/main.ts', 'etc/passwd']
  for (const target of targets) {
    for (const dots of up) {
      for (const separator of slash) {
        for (const start of ['/', '/assets/', '//']) {
          const path = start + (dots + separator).repeat(2) + target.replaceAll('/', separator)
          const { status, body } = await ask('GET', path, server.address)
          expect([400, 404], path).toContain(status)
          expect(body).not.toMatch(/"name": "daymark"|import |root:/)
        }
      }
    }
  }
  // No folder is listed.
  for (const path of ['/assets', '/assets/', '/.git/', '/.git/config']) {
    expect([path, (await ask('GET', path, server.address)).status]).toEqual([path, 404])
  }
  // The answer to TRACE does not contain the request.
  const { status, body } = await ask('TRACE', '/', server.address)
  expect([status, body]).toEqual([404, expect.not.stringContaining('from the client')])
})
