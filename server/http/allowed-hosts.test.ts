import { beforeAll, describe, expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { lastGet, listen, rawRequest } from '../testing/raw-client.ts'
import { serverForAll } from '../testing/test-server.ts'

const validate = `${apiBase}/user/validate`

/** Without a token each of these calls gets a 403; any other response was sent before the check of the token. */
describe.each([
  ['any host', {}],
  ['its own host', { ALLOWED_HOSTS: 'localhost' }],
])('a server for %s', (_, environment) => {
  const server = serverForAll('sqlite', environment)
  let origin: string
  beforeAll(async () => {
    origin = await listen(server.app)
  })
  const ask = (request: string, path: string) =>
    rawRequest(origin, `${request.replace('PATH', path)}connection: close\r\n\r\n`)

  test.each([
    ['no host', 'GET PATH HTTP/1.1\r\n'],
    ['an empty host', 'GET PATH HTTP/1.1\r\nhost:\r\n'],
    ['two hosts', 'GET PATH HTTP/1.1\r\nhost: localhost\r\nHost: example.org\r\n'],
    ['the same host twice', 'GET PATH HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n'],
    ['two hosts in HTTP/1.0', 'GET PATH HTTP/1.0\r\nhost: localhost\r\nhost: example.org\r\n'],
    ['two hosts in one header', 'GET PATH HTTP/1.1\r\nhost: localhost, example.org\r\n'],
    ['a host with a path', 'GET PATH HTTP/1.1\r\nhost: localhost/../\r\n'],
    ['a host with a user', 'GET PATH HTTP/1.1\r\nhost: ada@localhost\r\n'],
    ['a host with a port that is none', 'GET PATH HTTP/1.1\r\nhost: localhost:http\r\n'],
    ['an absolute address, and no host', 'GET http://localhostPATH HTTP/1.1\r\n'],
  ])('refuses a request with %s, health checks included', async (_what, request) => {
    for (const path of [validate, '/livez']) {
      const answer = await ask(request, path)
      const type = { 'content-type': 'application/problem+json; charset=utf-8' }
      const headers = { ...type, 'x-content-type-options': 'nosniff' }
      expect(answer).toMatchObject({ status: 400, headers })
      expect(JSON.parse(answer.body).errors[0].field).toBe('Host')
    }
  })

  test.each([
    ['a port', 'GET PATH HTTP/1.1\r\nhost: localhost:3000\r\n'],
    ['capital letters', 'GET PATH HTTP/1.1\r\nHOST: LocalHost\r\n'],
    ['an absolute address', 'GET http://localhostPATH HTTP/1.1\r\nhost: localhost\r\n'],
    ['the host of the address, not of the header', 'GET http://localhost:1PATH HTTP/1.1\r\nhost: x\r\n'],
  ])('takes %s', async (_what, request) => {
    expect((await ask(request, validate)).status).toBe(403)
  })

  test.each([
    ['http://localhost', 400],
    ['http://localhost?a=b', 400],
    [`http://localhost${apiBase}/nothing`, 404],
  ])('finds the resource of %s by its path, with the headers of that path', async (target) => {
    const path = target.slice('http://localhost'.length)
    const of = async (address: string) => {
      const { status, headers, body } = await rawRequest(origin, lastGet(address))
      return { status, body, headers: { ...headers, date: '', 'x-request-id': '' } }
    }
    expect(await of(target)).toEqual(await of(path.startsWith('/') ? path : `/${path}`))
  })
})

describe('with ALLOWED_HOSTS', () => {
  const ALLOWED_HOSTS = 'Tasks.Example.org, 192.0.2.7, [2001:DB8:0:0::7]'
  const server = serverForAll('sqlite', { ALLOWED_HOSTS })
  const behindProxy = serverForAll('sqlite', { ALLOWED_HOSTS, TRUSTED_PROXIES: '10.0.0.1' })

  const statusFor = async (headers: Record<string, string>, at = server, remoteAddress = '10.0.0.1') =>
    (await at.app.inject({ url: validate, headers, remoteAddress })).statusCode

  test.each([
    ...['tasks.example.org', 'TASKS.example.org:8443', '192.0.2.7', '192.0.2.7:80', '[2001:db8::7]'],
    '[2001:db8::7]:80',
  ])('a request for %s is answered', async (host) => {
    expect(await statusFor({ host })).toBe(403)
  })

  test.each([
    ...['example.org', 'tasks.example.org.evil.example', 'eviltasks.example.org', 'tasks.example.org.'],
    ...['127.0.0.1', '[::1]'],
  ])('a request for %s is refused with a 421, whatever it asks for', async (host) => {
    const ofApi = [validate, `${apiBase}/openapi.json`, `${apiBase}/nothing`]
    for (const url of ['/', '/login', '/nothing', ...ofApi]) {
      const answer = await server.app.inject({ url, headers: { host } })
      expect(`${answer.statusCode} ${answer.headers['content-type']}`).toMatch(
        /^421 application\/problem\+json/,
      )
      expect(answer.json().detail).toBe(`This server does not accept requests for the host ${host}.`)
    }
  })

  test('a request of HTTP/1.0 that names no host is for none of these', async () => {
    const origin = await listen(server.app)
    expect(await rawRequest(origin, `GET ${validate} HTTP/1.0\r\n\r\n`)).toMatchObject({ status: 421 })
  })

  test('nothing is written for a host that is not allowed', async () => {
    const user = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
    const answer = await server.call('POST /user/register', { body: user, headers: { host: 'example.org' } })
    expect(answer.status).toBe(421)
    expect(await server.database.read.selectFrom('users').select('id').execute()).toEqual([])
  })

  test('health checks are answered for any host, because load balancers use an address', async () => {
    for (const url of ['/livez', '/readyz']) {
      expect((await server.app.inject({ url, headers: { host: '172.17.0.2:3000' } })).statusCode).toBe(200)
    }
  })

  test('X-Forwarded-Host is the requested host only if a trusted proxy sends it', async () => {
    const allowed = 'tasks.example.org'
    const forwarded = (host: string, header: string) => ({ host, 'x-forwarded-host': header })
    expect(await statusFor(forwarded('app:3000', allowed), behindProxy)).toBe(403)
    expect(await statusFor(forwarded(allowed, 'example.org'), behindProxy)).toBe(421)
    expect(await statusFor(forwarded('app:3000', `${allowed}, example.org`), behindProxy)).toBe(421)
    expect(await statusFor(forwarded('app:3000', allowed), behindProxy, '10.0.0.2')).toBe(421)
    expect(await statusFor(forwarded('app:3000', allowed))).toBe(421)
  })
})
