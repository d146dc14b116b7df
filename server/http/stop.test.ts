import { once } from 'node:events'
import { statSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '../database/open-database.ts'
import { migratedDatabase } from '../testing/engines.ts'
import { many } from '../testing/many-clients.ts'
import { runServer, type ServerProcess, startServer } from '../testing/server-process.ts'
import { startTestServer } from '../testing/test-server.ts'
import { gracefulStop } from './stop.ts'

/** The times that a stop in this process waits: the test ends each wait. */
const waits = vi.hoisted(() => [] as { milliseconds: number; end(): void }[])
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: (milliseconds: number) => new Promise<void>((end) => waits.push({ milliseconds, end })),
}))

const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }

/** Starts a client that adds tasks one after another on a keep-alive connection. */
function startAdding({ api }: ServerProcess, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const added: string[] = []
  const failures: unknown[] = []
  let isClosing = false

  async function add(): Promise<boolean> {
    const sent = request(`${api}/list/addTask`, {
      agent,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    sent.end(JSON.stringify({ title: 'Water the plants', dueDate: '2026-11-21', priority: 'low' }))
    const [answer] = (await once(sent, 'response').catch((error) => {
      // The server has stopped. The kernel resets connections in the accept queue, so their requests were not read.
      const unread = error.code === 'ECONNREFUSED' || (error.code === 'ECONNRESET' && !sent.reusedSocket)
      if (!unread || !isClosing) failures.push(error)
      return []
    })) as IncomingMessage[]
    if (!answer) return false
    isClosing ||= answer.headers.connection === 'close'
    const text = await answer.toArray().then(Buffer.concat).catch(String)
    const isAdded = answer.statusCode === 200 && !!added.push(JSON.parse(String(text)).task._id)
    if (!isAdded) failures.push([answer.statusCode, String(text)])
    return isAdded
  }

  const ended = (async () => {
    while (await add());
    agent.destroy()
  })()
  return { added, failures, ended }
}

/** Starts clients that add tasks, and waits until they have added some. */
async function startLoad(server: ServerProcess, count: number, added: number) {
  const { token } = (await server.call('POST /user/register', { body: ada })).json
  const clients = many(count, () => startAdding(server, token))
  const ids = () => clients.flatMap((client) => client.added)
  await expect.poll(() => ids().length).toBeGreaterThan(added)
  const ended = () => Promise.all(clients.map((client) => client.ended))
  return { token, ids, ended, failures: () => clients.flatMap((client) => client.failures) }
}

test('after SIGTERM under load the server answers every accepted request, ends the streams, keeps every acknowledged write and exits within 8 seconds', async () => {
  const url = await migratedDatabase('sqlite')
  const server = await startServer({ DATABASE_URL: url.href })
  const { token, ids, ended, failures } = await startLoad(server, 32, 200)
  const idle = connect(Number(new URL(server.api).port), '127.0.0.1')
  const headers = { authorization: `Bearer ${token}` }
  const stream = await fetch(`${server.api}/changes/stream`, { headers })
  const streamed = stream.text()

  const pauses = monitorEventLoopDelay()
  pauses.enable()
  const start = performance.now()
  const { code, stderr } = await server.stop('SIGTERM')
  const seconds = (performance.now() - start) / 1000
  await ended()
  idle.destroy()
  // A stream that is cut off rejects.
  expect(await streamed).toMatch(/^data: /)

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(seconds).toBeLessThan(8)
  // Idle connections are closed a second after the signal: clients that paused for so long may have sent to a closed one.
  const isPaused = pauses.max > 500_000_000
  const isReset = (failure: unknown) => (failure as { code?: string }).code === 'ECONNRESET'
  expect(failures().filter((failure) => !isPaused || !isReset(failure))).toEqual([])
  expect(statSync(`${fileURLToPath(url)}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  const database = await openDatabase(url)
  const stored = await database.read.selectFrom('tasks').select('id').execute()
  await database.close()
  expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(ids()))
})

/** Starts the server as `npm start` and `daymark` do. */
const launcher = [
  process.execPath,
  '--input-type=module',
  '--eval',
  `import { runToEnd } from '${new URL('../../scripts/run-to-end.mjs', import.meta.url)}'
   runToEnd(process.argv[1], process.argv.slice(2))`,
  '--',
]

test('a stop that reaches the process group, the launcher and the server several times is one stop', async () => {
  const server = await startServer({ DATABASE_URL: (await migratedDatabase('sqlite')).href }, launcher)
  const { ended, failures } = await startLoad(server, 8, 50)

  // The launcher passes on each of them too.
  for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGINT', 'SIGHUP'] as const)
    server.signalGroup(signal)
  const { code, stderr } = await server.ended
  await ended()
  expect({ code, stderr, failures: failures() }).toEqual({ code: 0, stderr: '', failures: [] })
})

test('a second Ctrl-C after a second ends the server at once', async () => {
  const { href } = await migratedDatabase('sqlite')
  const server = await startServer({ DATABASE_URL: href, DRAIN: '60' }, launcher)
  server.signalGroup('SIGINT')
  // Of all signals, only a later SIGINT ends the drain of a minute.
  const again = setInterval(() => server.signalGroup('SIGINT'), 100)
  const start = performance.now()
  expect((await server.ended).code).toBe(1)
  clearInterval(again)
  expect(performance.now() - start).toBeGreaterThan(800)
})

test('a signal during the start, while the database is not open yet, ends the server', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const connected = once(silent, 'connection').then(() => 'SIGTERM' as const)
  const DATABASE_URL = `postgres://ada@127.0.0.1:${port}/daymark`
  const { code, stdout } = await runServer({ DATABASE_URL }, connected)
  silent.close()
  expect([code, stdout]).toEqual([0, ''])
})

test('behind a proxy, a stop makes the server unready at once; it still serves, then sends reads elsewhere but applies changes', async () => {
  const server = await startTestServer('sqlite')
  const stop = gracefulStop(server.app, 2)
  const user = await server.newUser()
  const status = async (endpoint: string) => (await user.call(endpoint)).status
  const probe = async (path: string) => (await server.app.inject(path)).statusCode
  expect([await probe('/readyz'), await probe('/livez')]).toEqual([200, 200])

  const stopped = stop()
  const answer = await user.call('GET /list/getLatestTasks')
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close'])
  expect(await status('GET /changes/stream')).toBe(502)
  expect([await probe('/readyz'), await probe('/livez')]).toEqual([503, 200])
  waits[0]?.end()
  await expect.poll(() => status('GET /list/getLatestTasks')).toBe(502)
  expect((await user.addTask()).title).toBe('Water the plants')
  expect(await probe('/livez')).toBe(200)
  expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([2000, 1000])
  waits[1]?.end()
  await stopped
  await server.close()
})
