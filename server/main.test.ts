import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Engine, emptyDatabase, onEveryEngine } from './testing/engines.ts'
import { runServer, type ServerProcess, startServer } from './testing/server-process.ts'

const databaseUrl = async (engine: Engine) => ({ DATABASE_URL: (await emptyDatabase(engine)).href })
const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
const draft = { title: 'Water the plants', body: '', dueDate: '2026-11-21', priority: 'low' }

onEveryEngine('the server as a process', (engine) => {
  let environment: { DATABASE_URL: string }
  let server: ServerProcess
  beforeAll(async () => {
    environment = await databaseUrl(engine)
    server = await startServer(environment)
  })
  afterAll(() => server.stop('SIGKILL'))

  test('says in one line where it is', () => {
    expect(server.stdout).toMatch(/^Daymark is at http:\/\/localhost:\d+\n$/)
  })

  test('answers 404 with a problem document to every unknown path below /api/', async () => {
    const origin = new URL(server.api).origin
    const paths = ['/api/', '/api/v1', '/api/v1/nothing', '/api/v2/user/validate', '/api/v1/list/addTask/']
    for (const path of [...paths, '/api/v1/list/addTask?x=/login', '/api/index.html']) {
      for (const method of ['GET', 'PATCH']) {
        const answer = await fetch(origin + path, { method })
        expect([path, answer.status]).toEqual([path, 404])
        expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
        expect(await answer.json()).toMatchObject({ status: 404 })
      }
    }
  })

  test('ends by SIGTERM with code 0, prints nothing more, and has kept everything when it starts again', async () => {
    const { token } = (await server.call('POST /user/register', { body: ada })).json
    const { task } = (await server.call('POST /list/addTask', { token, body: draft })).json
    const { code, stdout, stderr } = await server.stop()
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: server.stdout, stderr: '' })

    server = await startServer(environment)
    expect((await server.call('POST /user/login', { body: ada })).status).toBe(200)
    expect((await server.call('GET /list/getLatestTasks', { token })).json).toEqual({ lists: [task] })
  })
})

describe('the server’s zone', () => {
  test.each([
    ['Pacific/Kiritimati', 1],
    ['Etc/GMT+12', 0],
  ])(
    'is the one it runs in: what is due in the first zone’s today is listed in %s %i times',
    async (TZ, times) => {
      const server = await startServer({ ...(await databaseUrl('sqlite')), TZ })
      const { token } = (await server.call('POST /user/register', { body: ada })).json
      const dueDate = Temporal.Now.plainDateISO('Pacific/Kiritimati').toString()
      await server.call('POST /list/addTask', { token, body: { ...draft, dueDate } })
      const { lists } = (await server.call('GET /list/getTodayTasks', { token })).json
      await server.stop('SIGKILL')
      expect(lists).toHaveLength(times)
    },
  )
})

describe('a start that cannot succeed ends with code 1 and one line that names the variable', () => {
  async function expectRefused(environment: Record<string, string>, line: string | RegExp) {
    const { code, stdout, stderr } = await runServer(environment)
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    })
    expect(stderr.trimEnd()).toMatch(line)
  }

  test('a PORT that is no port', async () => {
    const line = 'PORT must be a whole number from 0 to 65535, not "http"'
    await expectRefused({ PORT: 'http' }, line)
  })

  test('a DATABASE_URL that is none, whose password stays unsaid', async () => {
    const line = 'DATABASE_URL must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
    await expectRefused({ DATABASE_URL: 'mysql://ada:hunter2@localhost/daymark' }, line)
  })

  test('a PORT in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const line = `PORT ${port} is in use by another program; choose another one`
    await expectRefused({ ...(await databaseUrl('postgres')), PORT: String(port) }, line)
    other.close()
  })

  test('a HOST that this machine is not', async () => {
    const line = 'HOST must be a name or address of this machine, not "192.0.2.1"'
    await expectRefused({ ...(await databaseUrl('sqlite')), HOST: '192.0.2.1' }, line)
  })

  test.each([
    ['a folder that cannot be made', () => 'file:/dev/null/daymark.sqlite'],
    ['a file that is no database', () => `file:${import.meta.filename}`],
    ['a PostgreSQL server that is not there', () => 'postgres://ada:hunter2@127.0.0.1:1/daymark'],
    ['a wrong password', () => inject('postgresUrl').replace(':password@', ':hunter2@')],
  ])('a DATABASE_URL that leads nowhere: %s', async (_, url) => {
    await expectRefused(
      { DATABASE_URL: url() },
      /^DATABASE_URL leads to no database that can be used: (?!.*hunter2)./,
    )
  })
})
