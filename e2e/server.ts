import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..')

export type Server = { address: string; stop: () => Promise<void> }

/** The real server on a fresh database, at a port of its own. */
export async function startServer(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-e2e-'))
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: `file:${folder}/daymark.sqlite` },
  })
  const exited = once(server, 'exit')
  const printed = Promise.withResolvers<string>()
  exited.then(() => printed.reject(new Error('The server stopped before it printed its address.')))
  createInterface({ input: server.stdout }).on('line', (line) => {
    const address = line.match(/http:\/\/\S+/)
    if (address) printed.resolve(address[0])
  })
  return {
    address: await printed.promise,
    async stop() {
      server.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}
