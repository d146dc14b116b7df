import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The requests of the users: the functions of `many-users.lua`. */
export type Asked = 'keptLists' | 'coldLists' | 'quietDeltas' | 'creates'

/**
 * Sends requests of these users, each a token and perhaps a cursor, in random order with wrk on 32 connections, and returns the answered requests per second.
 * wrk takes a fifth of the processor time of autocannon, so the figures are the server's and not those of its client.
 */
export async function loadOfUsers(base: string, asked: Asked, users: string[], seconds = 4): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-wrk-'))
  try {
    const file = join(folder, 'users')
    await writeFile(file, users.join('\n'))
    const script = join(import.meta.dirname, 'many-users.lua')
    const load = ['--threads=1', '--connections=32', `--duration=${seconds}s`, `--script=${script}`]
    const { stdout } = await promisify(execFile)('wrk', [...load, base, '--', asked, file]).catch(explain)
    const { requests, microseconds, failed } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    if (failed) throw new Error(`${asked}: ${failed} of ${requests} requests failed`)
    return (requests / microseconds) * 1e6
  } finally {
    await rm(folder, { recursive: true })
  }
}

function explain(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error
  throw new Error(
    'This benchmark needs wrk, a load generator: install the package of that name, see bench/README.md',
  )
}
