import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Engine, emptyDatabase, onEveryEngine } from './testing/engines.ts'
import { expectRefused } from './testing/run-program.ts'
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

  test('prints one line with its address', () => {
    expect(server.stdout).toMatch(/^Daymark is at http:\/\/localhost:\d+\n$/)
  })

  test('exits on SIGTERM with code 0, prints nothing more, and still has all data after a restart', async () => {
    const { token } = (await server.call('POST /user/register', { body: ada })).json
    const { task } = (await server.call('POST /list/addTask', { token, body: draft })).json
    const { code, stdout, stderr } = await server.stop()
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: server.stdout, stderr: '' })

    server = await startServer(environment)
    expect((await server.call('POST /user/login', { body: ada })).status).toBe(200)
    expect((await server.call('GET /list/getLatestTasks', { token })).json).toEqual({ lists: [task] })
  })
})

describe('the server’s time zone', () => {
  test.each([
    ['Pacific/Kiritimati', 1],
    ['Etc/GMT+12', 0],
  ])('is the one in TZ: a task due in Kiritimati is listed under TZ=%s %i times', async (TZ, times) => {
    const server = await startServer({ ...(await databaseUrl('sqlite')), TZ })
    const { token } = (await server.call('POST /user/register', { body: ada })).json
    const dueDate = Temporal.Now.plainDateISO('Pacific/Kiritimati').toString()
    await server.call('POST /list/addTask', { token, body: { ...draft, dueDate } })
    const { lists } = (await server.call('GET /list/getTodayTasks', { token })).json
    await server.stop('SIGKILL')
    expect(lists).toHaveLength(times)
  })
})

describe('the server exits with code 1 and one line that names the variable', () => {
  const expectExit = async (environment: Record<string, string>, line: string | RegExp) =>
    expectRefused(await runServer(environment), line)

  test('if DATABASE_URL is invalid, without printing its password', async () => {
    const line = 'DATABASE_URL must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
    await expectExit({ DATABASE_URL: 'mysql://ada:hunter2@localhost/daymark' }, line)
  })

  test('if PORT is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const line = `PORT ${port} is in use by another program; choose another one`
    await expectExit({ ...(await databaseUrl('postgres')), PORT: String(port) }, line)
    other.close()
  })

  test('if HOST is not an address of this machine', async () => {
    const line = 'HOST must be a name or address of this machine, not "192.0.2.1"'
    await expectExit({ ...(await databaseUrl('sqlite')), HOST: '192.0.2.1' }, line)
  })

  test.each([
    ['the folder cannot be created', () => 'file:/dev/null/daymark.sqlite'],
    ['the file is not a database', () => `file:${import.meta.filename}`],
    ['the PostgreSQL server is not reachable', () => 'postgres://ada:hunter2@127.0.0.1:1/daymark'],
    ['the password is wrong', () => inject('postgresUrl').replace(':password@', ':hunter2@')],
    ['nothing can be created in the folder', () => 'file:/proc/x/y.sqlite'],
  ])('if DATABASE_URL cannot be opened: %s', async (_, url) => {
    await expectExit({ DATABASE_URL: url() }, /^DATABASE_URL: the database cannot be opened: (?!.*hunter2)./)
  })
})
