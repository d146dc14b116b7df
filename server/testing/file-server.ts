import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import { emptyDatabase } from './engines.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { startTestServer } from './test-server.ts'

export const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }

/** A server on a database file, and its user, for each test of the file. The server stops when the test ends. */
export function fileServer() {
  let token = ''
  const noStop = () => Promise.resolve<unknown>(undefined)
  const at = {
    path: '',
    url: undefined as unknown as URL,
    call: undefined as unknown as ServerProcess['call'],
    ready: async () => 0,
    stop: noStop,
    /** The titles of tasks whose creation was answered with 200. */
    acknowledged: [] as string[],
    /** Uses a database from now on, a new one by default. */
    async use(url?: URL) {
      at.url = url ?? (await emptyDatabase('sqlite'))
      at.path = fileURLToPath(at.url)
    },
    /** Starts the server in this process, which is ten times as fast as a process of its own. */
    async start() {
      const { app, call, close } = await startTestServer(at.url)
      const ready = async () => (await app.inject('/readyz')).statusCode
      Object.assign(at, { call, ready, stop: close })
      return app
    },
    /** Starts the server as a process, so that a test can read its exit code or its output. */
    async startProcess() {
      const program = await startServer({ DATABASE_URL: at.url.href, LOG_LEVEL: 'error' })
      const ready = async () => (await fetch(new URL('/readyz', program.api))).status
      Object.assign(at, { call: program.call, ready, stop: () => program.stop('SIGKILL') })
      return program
    },
    /** Stops the server before the test ends. */
    async end() {
      const { stop } = at
      at.stop = noStop
      await stop()
    },
    async signUp() {
      token = (await at.call('POST /user/register', { body: ada })).json.token
    },
    async add(title: string, body = '') {
      const task = { title, body, dueDate: '2026-11-21', priority: 'low' }
      const answer = await at.call('POST /list/addTask', { token, body: task })
      if (answer.status === 200) at.acknowledged.push(title)
      return answer
    },
    list: () => at.call('GET /list/getLatestTasks?limit=200', { token }),
  }
  afterEach(() => at.end())
  return at
}

/** Stops the process and returns what it has logged. */
export async function loggedBy(program: ServerProcess) {
  const { stdout } = await program.stop()
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line))
}

/** The titles of the tasks in a database file, in the order of their creation. */
export function titlesIn(file: string) {
  using database = new DatabaseSync(file, { readOnly: true })
  const titles = database.prepare('select title from tasks order by created_at, id').all()
  return titles.map(({ title }) => title)
}
