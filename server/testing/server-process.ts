import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { apiBase } from '#contract/limits.ts'
import { type Call, contentsOf } from './test-client.ts'

export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string }

export type ServerProcess = Awaited<ReturnType<typeof startServer>>

/**
 * Starts the server as a child process on a free port unless `environment` has PORT. With a `launcher`, it is started by that
 * command, in a process group of its own.
 */
export async function startServer(environment: Record<string, string>, launcher: string[] = []) {
  const server = spawnServer(environment, launcher)
  const ended = end(server)
  const { promise: ready, resolve } = Promise.withResolvers<string>()
  server.stdout?.on('data', () => /http:\S+\n/.test(server.printed.stdout) && resolve('ready'))
  if ((await Promise.race([ready, ended])) !== 'ready') {
    throw new Error(`The server did not start: ${JSON.stringify(await ended)}`)
  }
  const [address] = /http:[^\s"]+/.exec(server.printed.stdout) as unknown as [string]
  // A name may have several addresses. If this process pauses while it connects to one, Node goes on to the next.
  const api = address.replace('localhost', '127.0.0.1') + apiBase
  const call: Call = async (endpoint, request = {}) => {
    const [method = '', path = ''] = endpoint.split(' ')
    const { headers, payload } = contentsOf(request)
    const answer = await fetch(api + path, { method, headers, ...(payload && { body: payload as string }) })
    const [text, { status }] = [await answer.text(), answer]
    return { status, headers: Object.fromEntries(answer.headers), text, json: JSON.parse(text) }
  }
  return {
    /** The standard output until the server was ready. */
    stdout: server.printed.stdout,
    /** The base URL of the API. */
    api,
    /** The standard output so far. */
    printed: () => server.printed.stdout,
    isRunning: () => server.exitCode === null && server.signalCode === null,
    /** Sends the signal and waits for the process to exit. */
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      server.kill(signal)
      return ended
    },
    /** Stops the process as a frozen machine does, until `resume`. */
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    /** Sends the signal to the launcher and the server, which are a process group. */
    signalGroup: (signal: NodeJS.Signals) => void process.kill(-(server.pid as number), signal),
    ended,
    call,
  }
}

/** Runs a server that exits during its start, by itself or by the signal that is sent to it. */
export function runServer(
  environment: Record<string, string>,
  signalled?: Promise<NodeJS.Signals>,
): Promise<Ended> {
  const server = spawnServer(environment)
  signalled?.then((signal) => server.kill(signal))
  return end(server)
}

type Spawned = ChildProcess & { printed: { stdout: string; stderr: string } }

function spawnServer(environment: Record<string, string>, launcher: string[] = []): Spawned {
  const main = join(import.meta.dirname, '../main.ts')
  const [command = process.execPath, ...args] = [...launcher, process.execPath, main]
  const server = spawn(command, args, {
    env: {
      PORT: '0',
      LOG_LEVEL: 'error',
      // A busy machine reaches the default.
      POSTGRES_STATEMENT_SECONDS: '60',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: launcher.length > 0,
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    server[stream].setEncoding('utf8').on('data', (text) => {
      printed[stream] += text
    })
  }
  return Object.assign(server, { printed })
}

async function end(server: Spawned): Promise<Ended> {
  const [code, signal] = await once(server, 'close')
  return { code, signal, ...server.printed }
}
