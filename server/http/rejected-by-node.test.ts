import { setImmediate } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import type { ProblemCode } from '#contract/problem-codes.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { many } from '../testing/many-clients.ts'
import { listen, openRawClient, rawRequest } from '../testing/raw-client.ts'
import { startServer } from '../testing/server-process.ts'
import { publicHost, serverForAll } from '../testing/test-server.ts'

const server = serverForAll('sqlite', publicHost)
/** Where Node alone parses what connections send. */
const local = serverForAll('sqlite')
let origin: string
let origins: string[]
beforeAll(async () => {
  // Both answer a turn of the event loop later: the bytes that followed the request have been read by then.
  server.app.get('/begun', (_request, reply) => {
    reply.raw.writeHead(200, { 'content-length': 10 })
    reply.raw.write('begun ')
    void setImmediate().then(() => reply.raw.end('done'))
  })
  server.app.get('/later', async () => {
    await setImmediate()
    return 'later'
  })
  origins = [await listen(server.app), await listen(local.app)]
  ;[origin = ''] = origins
})

const host = 'host: localhost\r\n'
const post = `POST ${apiBase}/user/login HTTP/1.1\r\n${host}content-type: application/json\r\n`
const chunked = `${post}transfer-encoding: chunked\r\n\r\n`

const refusals: [string, number, string][] = [
  ['a request that is no HTTP', 400, 'what is this?\r\n\r\n'],
  ['a method that does not exist', 400, `BREW /livez HTTP/1.1\r\n${host}\r\n`],
  ['a header without a name', 400, `GET /livez HTTP/1.1\r\n${host}: nameless\r\n\r\n`],
  ['a line feed without a carriage return', 400, `GET /livez HTTP/1.1\n${host}\n`],
  ['two lengths', 400, `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
  ['a length and chunks', 400, `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a chunk whose length is no number', 400, `${chunked}no\r\n{}\r\n`],
  ['a chunk that is longer than it says', 400, `${chunked}1\r\n{}\r\n0\r\n\r\n`],
  ['chunk extensions without an end', 413, `${chunked}2;${'x'.repeat(20_000)}`],
  ['headers without an end', 431, `GET /livez HTTP/1.1\r\n${host}x: ${'x'.repeat(200_000)}`],
  ['a head with more than 200 lines', 431, `GET /livez HTTP/1.1\r\n${host}${'a: b\r\n'.repeat(250)}\r\n`],
  ['an address without an end', 431, `GET /${'x'.repeat(200_000)}`],
  ['an expectation', 417, `GET /livez HTTP/1.1\r\n${host}expect: the-unexpected\r\n\r\n`],
  ['an expectation with a body', 417, `${post}expect: 200-ok\r\ncontent-length: 2\r\n\r\n{}`],
  ['CONNECT', 501, `CONNECT example.org:443 HTTP/1.1\r\n${host}\r\n`],
]

const codes: Record<number, ProblemCode> = {
  400: 'malformed-http',
  413: 'chunk-extensions-too-large',
  417: 'unsupported-expectation',
  431: 'headers-too-large',
  501: 'connect-unsupported',
}

test.each(refusals)(
  '%s gets a %i with a problem document, and the connection is closed',
  async (_, status, request) => {
    const usual = (await server.call('GET /nothing')).headers
    for (const each of origins) {
      const answer = await rawRequest(each, request)
      expect(answer.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      const texts = { type: 'about:blank', title: expect.any(String), detail: expect.any(String) }
      expect(JSON.parse(answer.body)).toEqual({ ...texts, status, code: codes[status] })
      expect(answer.headers).toEqual({
        ...{ ...usual, connection: 'close' },
        date: expect.stringMatching(/ GMT$/),
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'content-length': String(Buffer.byteLength(answer.body)),
      })
    }
  },
)

test('a request to change the protocol gets a normal response', async () => {
  const request = `GET /livez HTTP/1.1\r\n${host}connection: upgrade, close\r\nupgrade: websocket\r\n\r\n`
  expect(await rawRequest(origin, request)).toMatchObject({ status: 200, body: '{"status":"alive"}' })
})

test('a client that expects 100-continue gets it', async () => {
  const request = `${post}connection: close\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n{}`
  expect((await rawRequest(origin, request)).text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 400 /)
})

describe.each([
  ['garbage', 400, 'what is this?\r\n\r\n'],
  ['CONNECT', 501, `CONNECT example.org:443 HTTP/1.1\r\n${host}\r\n`],
])('%s after a request', (_, status, second) => {
  test.each([
    ['begun', 'begun done'],
    ['later', 'later'],
  ])('is rejected after the complete response to that request: /%s', async (path, body) => {
    const { text } = await rawRequest(origin, `GET /${path} HTTP/1.1\r\n${host}\r\n${second}`)
    expect(text.split(/(?=HTTP\/1.1)/)).toEqual([
      expect.stringMatching(new RegExp(`^HTTP/1.1 200 [^]*\r\n\r\n${body}$`)),
      expect.stringMatching(new RegExp(`^HTTP/1.1 ${status} `)),
    ])
  })
})

test('data after the last request of a connection is dropped', async () => {
  const request = `GET /begun HTTP/1.1\r\n${host}connection: close\r\n\r\nwhat is this?\r\n\r\n`
  const { text } = await rawRequest(origin, request)
  expect(text).toMatch(/^HTTP\/1.1 200 .*\r\n\r\nbegun done$/s)
})

test('data after malformed data is dropped while an earlier response is pending', async () => {
  const client = await openRawClient(origin)
  await client.ask(`GET /begun HTTP/1.1\r\n${host}\r\nwhat is this?\r\n\r\n`)
  expect(await client.finish('and this?\r\n\r\n'.repeat(20))).toEqual([200, 400])
})

test('a body that is malformed after the response to its request gets no second response', async () => {
  const client = await openRawClient(origin)
  expect(await client.ask(chunked.replace('json', 'plain'))).toEqual([415])
  expect(await client.finish('no\r\n')).toEqual([415])
})

test('after a complete response, the connection can still get an error', async () => {
  const client = await openRawClient(origin)
  expect(await client.ask(`GET /livez HTTP/1.1\r\n${host}\r\n`)).toEqual([200])
  expect(await client.finish('what is this?\r\n\r\n')).toEqual([200, 400])
})

test('the rest of a body is read after the response to its request, and then the next request', async () => {
  const body = `${'{"a":\n'.repeat(300)}${'x'.repeat(3000)}`
  const client = await openRawClient(origin)
  const head = `${post.replace('json', 'plain')}content-length: ${body.length}\r\n\r\n`
  expect(await client.ask(head)).toEqual([415])
  const next = `GET /livez HTTP/1.1\r\n${host}connection: close\r\n\r\n`
  expect(await client.finish(body + next)).toEqual([415, 200])
})

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
  const bodies = many(100, () => sendSlowly(`${post}content-length: 1000\r\n\r\n{`, 10))
  await Promise.all([...headers, ...bodies])
})
