import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from './fixtures.ts'

/** Unlike a browser, sends the path as it is written here. */
async function ask(method: string, path: string, baseURL: string) {
  const { port } = new URL(baseURL)
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

test('No path leads out of the folder of the page', async ({ baseURL = '' }) => {
  const up = ['..', '%2e%2e', '.%2e', '%252e%252e', '..%00', '..;']
  const slash = ['/', '%2f', '%5c', '\\', '//']
  const targets = ['package.json', 'server/main.ts', 'etc/passwd']
  for (const target of targets) {
    for (const dots of up) {
      for (const separator of slash) {
        for (const start of ['/', '/assets/', '//']) {
          const path = start + (dots + separator).repeat(2) + target.replaceAll('/', separator)
          const { status, body } = await ask('GET', path, baseURL)
          expect([path, status]).toEqual([path, expect.toBeOneOf([400, 404])])
          expect(body).not.toMatch(/"name": "daymark"|import |root:/)
        }
      }
    }
  }
})

test('No folder is listed', async ({ baseURL = '' }) => {
  for (const path of ['/assets', '/assets/', '/.git/', '/.git/config']) {
    expect([path, (await ask('GET', path, baseURL)).status]).toEqual([path, 404])
  }
})

test('TRACE is not answered with what was sent', async ({ baseURL = '' }) => {
  const { status, body } = await ask('TRACE', '/', baseURL)
  expect([status, body]).toEqual([404, expect.not.stringContaining('from the client')])
})
