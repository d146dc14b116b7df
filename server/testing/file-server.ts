import { DatabaseSync } from 'node:sqlite'
import { type ServerProcess, startServer } from './server-process.ts'
import { startTestServer } from './test-server.ts'

/** A server on a database file, which is in this process or one of its own. */
export type FileServer = Pick<ServerProcess, 'call'> & {
  ready(): Promise<number>
  stop(): Promise<unknown>
}

/** Starts the server in this process, which is ten times as fast as a process of its own. */
export async function startInside(url: URL) {
  const { app, call, close } = await startTestServer(url)
  return { app, call, ready: async () => (await app.inject('/readyz')).statusCode, stop: close }
}

/** Starts the server as a process, so that a test can read its exit code or its output. */
export async function startOutside(url: URL) {
  const program = await startServer({ DATABASE_URL: url.href, LOG_LEVEL: 'error' })
  const ready = async () => (await fetch(new URL('/readyz', program.api))).status
  return { program, call: program.call, ready, stop: () => program.stop('SIGKILL') }
}

/** The titles of the tasks in a database file, in the order of their creation. */
export function titlesIn(file: string) {
  using database = new DatabaseSync(file, { readOnly: true })
  const titles = database.prepare('select title from tasks order by created_at, id').all()
  return titles.map(({ title }) => title)
}
