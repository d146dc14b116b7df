import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createPostgresServer } from '../server/testing/postgres-server.ts'

/** The checkout whose server is measured. */
export const checkout = process.env.BENCH_CHECKOUT ?? join(import.meta.dirname, '..')

export type Server = { base: string; pid: number; stop(): Promise<void> }

/** Starts a server script and waits until it prints its address. */
export async function start(
  script: string,
  environment: Record<string, string> = {},
  ...options: string[]
): Promise<Server> {
  const child = spawn(process.execPath, [...options, resolve(import.meta.dirname, script)], {
    // Uses the same compile cache as `npm start`.
    env: { NODE_COMPILE_CACHE: 'node_modules/.cache/node', ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A benchmark that fails leaves no server behind.
  const kill = () => child.kill()
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const base = await new Promise<string>((ready, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it was ready`)))
    child.stdout.on('data', (text) => {
      const [address] = /http:\/\/\S+/.exec(String(text)) ?? []
      if (address) ready(address.replace(/localhost|0\.0\.0\.0/, '127.0.0.1'))
    })
  })
  return {
    base,
    pid: child.pid as number,
    stop: () =>
      new Promise((done) => {
        child.once('exit', () => done())
        child.kill('SIGTERM')
      }),
  }
}

export const startDaymark = (database: URL, environment: Record<string, string> = {}) =>
  start(join(checkout, 'server/main.ts'), { DATABASE_URL: database.href, ...environment })

/** Calls `work` with the URL of a new SQLite file, and removes the file afterwards. */
export async function withSqliteFile<T>(work: (url: URL) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-bench-'))
  try {
    return await work(pathToFileURL(join(folder, 'daymark.sqlite')))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Calls `work` with the URL of a database on a new PostgreSQL server, and removes the server afterwards. */
async function withPostgres<T>(work: (url: URL) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-bench-'))
  // When this runs as root, PostgreSQL runs as another user, which needs access to the folder.
  await chmod(folder, 0o755)
  const server = await createPostgresServer(folder)
  try {
    await server.start()
    return await work(server.url('postgres'))
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

/** The engines that a benchmark measures: that of BENCH_ENGINE, or both. */
export const engines = () =>
  Object.entries({ SQLite: withSqliteFile, PostgreSQL: withPostgres }).filter(
    ([engine]) => engine === (process.env.BENCH_ENGINE ?? engine),
  )
