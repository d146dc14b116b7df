import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')

export type Server = {
  address: string
  stop: () => Promise<void>
  /** Runs the command `users` on the database of the server, and returns what it prints. */
  users: (...args: string[]) => Promise<string>
  /** Ends the process at once, as a crash does, and starts another one on the same database at the same address. */
  crash: () => Promise<{ restart: (environment?: Record<string, string>) => Promise<Server> }>
}

/** The real server at a port of its own, on the database of the URL or on a fresh SQLite file. */
export async function startServer(
  databaseUrl?: URL,
  place?: { folder: string; port: string },
  environment: Record<string, string> = {},
): Promise<Server> {
  const folder = place?.folder ?? (await mkdtemp(join(tmpdir(), 'daymark-e2e-')))
  const url = databaseUrl?.href ?? `file:${folder}/daymark.sqlite`
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...environment,
      HOST: '127.0.0.1',
      PORT: place?.port ?? '0',
      DATABASE_URL: url,
    },
  })
  const exited = once(server, 'exit')
  const printed = Promise.withResolvers<string>()
  exited.then(() => printed.reject(new Error('The server stopped before it printed its address.')))
  createInterface({ input: server.stdout }).on('line', (line) => {
    const address = line.match(/http:\/\/\S+/)
    if (address) printed.resolve(address[0])
  })
  const address = await printed.promise
  return {
    address,
    async users(...args) {
      const env = { ...process.env, DATABASE_URL: url, PORT: new URL(address).port }
      const command = ['server/users/users-command.ts', ...args]
      return (await promisify(execFile)(process.execPath, command, { cwd: root, env })).stdout
    },
    async crash() {
      server.kill('SIGKILL')
      await exited
      return {
        restart: (environment) =>
          startServer(databaseUrl, { folder, port: new URL(address).port }, environment),
      }
    },
    async stop() {
      server.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}
