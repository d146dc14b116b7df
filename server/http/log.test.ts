import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../database/open-database.ts'
import { emptyDatabase, onEveryEngine } from '../testing/engines.ts'
import { type Ended, startServer } from '../testing/server-process.ts'

/** Values that no log line may contain. Each names the field that it comes from. */
const secret = {
  name: 'secret-name',
  email: 'secret-email@example.org',
  password: 'secret-password',
  wrongPassword: 'secret-wrong-password',
  newPassword: 'secret-new-password',
  title: 'secret-title',
  body: 'secret-body',
  query: 'secret-query-value',
  header: 'secret-header-value',
}

onEveryEngine('the log', (engine) => {
  let ended: Ended
  let failure: { text: string; requestId: string }
  const tokens: string[] = []
  let feedToken: string
  /** The log lines, without the plain first line with the server's address. */
  const entries = () =>
    ended.stdout.split('\n').flatMap((line) => (/^(Daymark is at .*)?$/.test(line) ? [] : [JSON.parse(line)]))

  // Runs every kind of call, successful and failing, at the most verbose level.
  beforeAll(async () => {
    const url = await emptyDatabase(engine)
    const server = await startServer({ DATABASE_URL: url.href, LOG_LEVEL: 'debug' })
    const { name, email, password, title, body, query, header } = secret
    const draft = { title, body, dueDate: '2026-11-21', priority: 'high' }
    const steps: [number, string, object?][] = [
      [200, 'POST /user/register', { name, email, password }],
      [409, 'POST /user/register', { name, email, password }],
      [401, 'POST /user/login', { email, password: secret.wrongPassword }],
      [200, 'POST /user/login', { email, password }],
      [200, 'POST /list/addTask', draft],
      [200, `GET /list/getLatestTasks?${query}=${query}`],
      [400, `GET /list/getLatestTasks?cursor=${query}`],
      [400, 'POST /list/addTask', { ...draft, priority: body, dueDate: body }],
      [400, 'POST /list/addTask', { ...draft, title: { [title]: title } }],
      [404, `DELETE /list/deleteTask/01a1fbec-df28-741d-85d9-08c2d1fcac18?x=${query}`],
      [400, 'POST /user/changePassword', { currentPassword: secret.wrongPassword, newPassword: password }],
      [200, 'POST /user/changePassword', { currentPassword: password, newPassword: secret.newPassword }],
      [404, `GET /nothing?${query}=${query}`],
    ]
    for (const [status, endpoint, body] of steps) {
      const token = tokens.at(-1) ?? ''
      const answer = await server.call(endpoint, { token, body })
      expect([endpoint, answer.status]).toEqual([endpoint, status])
      if (answer.json.token) tokens.push(answer.json.token)
    }

    const authorization = `Bearer ${tokens.at(-1)}`
    const calendar = { token: tokens.at(-1) ?? '', body: { name: 'Calendar', scope: 'feed' } }
    feedToken = (await server.call('POST /tokens', calendar)).json.token
    for (const [status, path] of [
      [200, 'feed'],
      [404, 'FEED'],
    ] as const)
      expect((await fetch(new URL(`/${path}/${feedToken}.ics`, server.api))).status).toBe(status)

    const headers = { authorization, 'content-type': 'application/json', 'x-forwarded-for': header }
    const broken = { method: 'POST', headers, body: `{"title": "${title}", "body": ${body}}` }
    expect((await fetch(`${server.api}/list/addTask`, broken)).status).toBe(400)
    expect((await fetch(`${server.api}/%ZZ?${query}=${query}`, { headers })).status).toBe(400)

    const database = await openDatabase(url)
    await database.write((db) => sql`drop table tasks`.execute(db))
    await database.close()
    const valid = { ...broken, body: JSON.stringify(draft) }
    const text = await (await fetch(`${server.api}/list/addTask?${query}=${query}`, valid)).text()
    failure = { text, ...JSON.parse(text) }
    const stream = await fetch(`${server.api}/changes/stream`, { headers })
    expect((await server.call('POST /user/logout', { token: tokens.at(-1) ?? '' })).status).toBe(200)
    expect(await stream.text()).toMatch(/^data: /)
    ended = await server.stop()
  })

  test('contains no password, token, task text, name, email, header or query string', () => {
    const printed = ended.stdout + ended.stderr
    for (const text of [...Object.values(secret), ...tokens, feedToken]) expect(printed).not.toContain(text)
    expect(printed).not.toMatch(/secret|authorization|bearer/i)
    expect(tokens).toHaveLength(2)
  })

  test('has one JSON object per line, with the id, method, path and IP address of each request', () => {
    const requests = entries().flatMap(({ req }) => req ?? [])
    expect(requests.length).toBeGreaterThan(15)
    for (const request of requests) expect(Object.keys(request)).toEqual(['id', 'method', 'path', 'address'])
    expect(requests).toContainEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'GET',
      path: '/api/v1/list/getLatestTasks',
      address: '127.0.0.1',
    })
    expect(ended.stderr).toBe('')
  })

  test('has one line about a stream, which is no slow request', () => {
    const ofStream = entries().find(({ req }) => req?.path === '/api/v1/changes/stream')
    const lines = entries().filter(({ reqId }) => reqId === ofStream.reqId)
    expect(lines.map(({ msg }) => msg)).toEqual(['incoming request'])
  })

  test('records account events with the id of the user', () => {
    const others = ['refused', 'unexpected error']
    const events = entries().filter(({ msg, user }) => user && !others.includes(msg))
    const messages = ['signed up', 'logged in', 'changed the password', 'made a token']
    expect(events.map(({ msg }) => msg)).toEqual(messages)
    expect(new Set(events.map(({ user }) => user)).size).toBe(1)
    expect(events[0]).toMatchObject({ level: 30, user: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  test('records rejected requests, with the id of the user if the token is valid', () => {
    const [{ user }] = entries().filter(({ msg }) => msg === 'signed up')
    const rejected = entries()
      .filter(({ msg }) => msg === 'refused')
      .map((entry) => [entry.level, entry.status, entry.req.path, entry.user])
    const path = '/api/v1/list/deleteTask/01a1fbec-df28-741d-85d9-08c2d1fcac18'
    expect(rejected).toContainEqual([30, 401, '/api/v1/user/login', undefined])
    expect(rejected).toContainEqual([30, 400, '/api/v1/user/changePassword', user])
    expect(rejected).toContainEqual([30, 404, path, user])
  })

  test('records the cause of a 500 under the requestId of the response', () => {
    const [entry, ...more] = entries().filter(({ level }) => level >= 50)
    expect(more).toEqual([])
    expect(entry.reqId).toBe(failure.requestId)
    expect(entry.req).toMatchObject({ method: 'POST', path: '/api/v1/list/addTask' })
    expect(entry.err.message).toMatch(/tasks/)
    expect(entry.err.stack).toMatch(/at .*\.ts/)
  })

  test('is the only place with the details of a 500: the response has no stack, SQL or table name', () => {
    expect(JSON.parse(failure.text)).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'unexpected',
      detail: 'An unexpected error occurred on the server. The request itself may be valid.',
      requestId: failure.requestId,
    })
  })
})
