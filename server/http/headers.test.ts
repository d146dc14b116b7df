import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { serverForAll, userForAll } from '../testing/test-server.ts'

const onEverything = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-length': expect.any(String),
  'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  date: expect.any(String),
  connection: 'keep-alive',
}

const onPages = {
  ...onEverything,
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types service-worker import-worker",
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

const onAnswers = {
  ...onEverything,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
/** A response to a request whose body was not read may close the connection. */
const connection = expect.stringMatching(/^(keep-alive|close)$/)
const onProblems = {
  ...onAnswers,
  connection,
  'content-type': expect.stringMatching(/^application\/problem\+json/),
}

const server = serverForAll('sqlite')
const strictServer = serverForAll('sqlite', { HSTS: 'on', TRUSTED_PROXIES: '127.0.0.1' })
const user = userForAll(server)

async function headersOf(request: InjectOptions, at = server) {
  const { statusCode, headers } = await at.app.inject(request)
  return { status: statusCode, headers }
}
const call = (endpoint: string, more: InjectOptions = {}) => {
  const [method, path] = endpoint.split(' ') as [NonNullable<InjectOptions['method']>, string]
  return headersOf({ method, url: apiBase + path, ...more })
}
const signedIn = () => ({ headers: { authorization: `Bearer ${user.token}` } })

test('all responses outside the API have the headers of a page; the probes are not cached, and have no others', async () => {
  const headers = { ...onPages, 'cache-control': 'no-store' }
  for (const url of ['/livez', '/readyz']) expect(await headersOf({ url })).toEqual({ status: 200, headers })
})

test('a response of the API is not cached, and a browser does not execute it', async () => {
  expect(await call('GET /user/validate', signedIn())).toEqual({ status: 200, headers: onAnswers })
  const listed = { ...onAnswers, 'changes-cursor': expect.stringMatching(/^\d+\.[0-9a-f-]{36}$/) }
  expect(await call('GET /list/getLatestTasks', signedIn())).toEqual({ status: 200, headers: listed })
  expect(await call('GET /openapi.json')).toEqual({ status: 200, headers: onAnswers })
  const encoded = await headersOf({ url: '/%61pi/v1/user/validate', ...signedIn() })
  expect(encoded).toEqual({ status: 200, headers: onAnswers })
})

test.each([
  [400, 'POST /list/addTask', () => ({ ...signedIn(), payload: {} })],
  [400, 'GET /list/%ZZ', () => ({})],
  [401, 'GET /list/getLatestTasks', () => ({})],
  [403, 'GET /user/validate', () => ({})],
  [404, 'GET /nothing', () => ({})],
  [413, 'POST /user/login', () => ({ payload: { email: 'x'.repeat(20_000) } })],
  [415, 'POST /user/login', () => ({ payload: 'x', headers: { 'content-type': 'text/plain' } })],
])('so is an error, a %i to %s; only a 401 has a WWW-Authenticate header', async (status, endpoint, more) => {
  const headers = { ...onProblems, ...(status === 401 && { 'www-authenticate': 'Bearer' }) }
  expect(await call(endpoint, more())).toEqual({ status, headers })
})

test('with HSTS on, the responses to requests over HTTPS have a Strict-Transport-Security header, and no others', async () => {
  const over = (protocol: string) => ({ headers: { 'x-forwarded-proto': protocol } })
  const cases = [
    [over('https'), strictServer, 'max-age=31536000'],
    [over('https'), server, undefined],
    [over('http'), strictServer, undefined],
    [{}, strictServer, undefined],
    // Only a trusted proxy knows how the client came.
    [{ ...over('https'), remoteAddress: '203.0.113.7' }, strictServer, undefined],
  ] as const
  for (const url of ['/livez', `${apiBase}/user/validate`, `${apiBase}/nothing`])
    for (const [request, at, expected] of cases) {
      const { headers } = await headersOf({ url, ...request }, at)
      expect([url, headers['strict-transport-security']]).toEqual([url, expected])
    }
})

test('no page of another origin may read the API: there is no CORS', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  for (const method of ['OPTIONS', 'GET', 'POST'] as const) {
    const answer = await headersOf({ method, url: `${apiBase}/user/login`, headers })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

async function idFor(url: string, given?: string, remoteAddress = '127.0.0.1') {
  const headers = given === undefined ? {} : { 'x-request-id': given }
  return (await headersOf({ url, remoteAddress, headers }, strictServer)).headers['x-request-id']
}

test.each(['/', '/livez', '/api/v1/list/getLatestTasks', '/api/v1/nothing', '/%ZZ'])(
  'the response to %s has the X-Request-Id of a trusted proxy',
  async (url) => {
    expect(await idFor(url, '7f3a-1:b=2')).toBe('7f3a-1:b=2')
    expect(await idFor(url, '::ffff', '::ffff:127.0.0.1')).toBe('::ffff')
  },
)

test.each([
  ['from another client', 'own', '203.0.113.7'],
  ['with a line break', 'a\nb', undefined],
  ['that is too long', 'a'.repeat(129), undefined],
  ['that is empty', '', undefined],
  ['that is missing', undefined, undefined],
])('an X-Request-Id %s is replaced by a new one', async (_, given, address) => {
  expect(await idFor('/livez', given, address)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
})
