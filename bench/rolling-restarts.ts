import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { apiBase } from '../contract/limits.ts'
import { newId } from '../server/new-id.ts'
import { addTask } from './load.ts'
import { withPostgres } from './postgres.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { type Server, startDaymark } from './servers.ts'

const ports = { proxy: 24_443, redirect: 24_080, one: 24_001, two: 24_002 }
const restarts = 10
const people = 36
const path = `${apiBase}/list/getLatestTasks?limit=20`

/** Milliseconds from the readiness of a restarted server to the stop of the other one, as docs/operating.md says. */
const between = 10_000

const proxies = {
  HAProxy: {
    file: 'haproxy.cfg',
    command: (file: string) => ['haproxy', '-db', '-f', file],
    /** Makes a configuration of the shipped file that a user without privileges can run. */
    wrap: (config: string, folder: string) =>
      config
        .replace(/^ {2}(user|group|log|maxconn) .*\n/gm, '')
        .replace('/etc/haproxy/daymark.pem', join(folder, 'both.pem')),
  },
  nginx: {
    file: 'nginx.conf',
    command: (file: string) => ['nginx', '-g', 'daemon off;', '-c', file],
    wrap: (config: string, folder: string) =>
      `pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 2; events { worker_connections 4096; }
      http { access_log off; ${config
        .replace(/^ {2}listen \[.*\n/gm, '')
        .replace(/\/etc\/\S+fullchain.pem/, join(folder, 'certificate.pem'))
        .replace(/\/etc\/\S+privkey.pem/, join(folder, 'key.pem'))} }`,
  },
}

/** Restarts two servers ten times each under load, behind each proxy with its shipped file, and reports the failed calls. */
export async function rollingRestarts() {
  for (const name of ['HAProxy', 'nginx'] as const) {
    section(`Two servers, each restarted ${restarts} times, behind ${name}`)
    await withPostgres((url) => restartBehind(name, url))
  }
}

async function restartBehind(name: keyof typeof proxies, url: URL) {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-proxy-'))
  const proxy = startProxy(name, folder)
  const start = (port: number) =>
    startDaymark(url, { PORT: String(port), TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'warn' })
  const tokens = await seed(url, Array(people).fill(20))
  const servers = { one: await start(ports.one), two: await start(ports.two) }
  await delay(between)

  const load = startLoad(tokens)
  for (let restart = 0; restart < restarts; restart++) {
    for (const which of ['one', 'two'] as const) {
      await servers[which].stop()
      servers[which] = await start(ports[which])
      await delay(between)
    }
  }
  const { requests, added, failures, streams, ends } = await load.stop()
  row('requests', String(requests))
  row(
    'failed (none)',
    failures.length === 0 ? 'none' : `${failures.length}: ${failures.slice(0, 5).join('; ')}`,
  )
  row('tasks added, and stored', `${added}, ${(await countTasks(url)) - 20 * people}`)
  row('open streams at the end, and ends of a stream', `${streams} of ${people}, ${ends}`)
  await Promise.all(Object.values(servers).map((server: Server) => server.stop()))
  proxy.kill()
  rmSync(folder, { recursive: true })
}

function startProxy(name: keyof typeof proxies, folder: string) {
  const { file, wrap, command } = proxies[name]
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=tasks.example.org', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' })
  writeFileSync(join(folder, 'both.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  const shipped = readFileSync(join(import.meta.dirname, '../deploy', file), 'utf8')
  const config = wrap(shipped, folder)
    .replace('10.0.0.1:3000', `127.0.0.1:${ports.one}`)
    .replace('10.0.0.2:3000', `127.0.0.1:${ports.two}`)
    .replace(/\b443\b/, String(ports.proxy))
    .replace(/\b80\b/, String(ports.redirect))
  writeFileSync(join(folder, file), config)
  const [program = '', ...options] = command(join(folder, file))
  const child = spawn(program, options, { stdio: ['ignore', 'inherit', 'inherit'] })
  process.once('exit', () => child.kill())
  // Without the proxy, everything fails.
  child.once('exit', (code) => code && process.exit(1))
  return child
}

/** Half of the people keep their connection; the others open one for each request. All have a stream. */
function startLoad(tokens: string[]) {
  const result = { requests: 0, added: 0, failures: [] as string[], streams: 0, ends: 0 }
  let isRunning = true

  async function call(agent: Agent, token: string, method: 'GET' | 'POST') {
    const sent = request({
      ...{
        agent,
        method,
        port: ports.proxy,
        path: method === 'GET' ? path : addTask.path,
        rejectUnauthorized: false,
      },
      headers: {
        authorization: `Bearer ${token}`,
        host: 'tasks.example.org',
        ...(method === 'POST' && { 'content-type': 'application/json', 'idempotency-key': newId() }),
      },
    })
    result.requests++
    try {
      const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
        sent.on('error', reject)
        sent.on('response', async (response) => {
          text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
        })
      })
      sent.end(method === 'POST' ? addTask.body : undefined)
      const { status, body } = await answered
      if (status !== 200) throw new Error(`${status} ${body.slice(0, 100)}`)
      if (method === 'POST') result.added++
    } catch (error) {
      result.failures.push(`${method} ${(error as Error).message}`)
    }
  }

  async function work(token: string, index: number) {
    const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 })
    while (isRunning) {
      await call(agent, token, Math.random() < 0.3 ? 'POST' : 'GET')
      await delay(Math.random() * 100)
    }
    agent.destroy()
  }

  const closing = new AbortController()
  async function follow(token: string) {
    const agent = new Agent()
    while (isRunning) {
      await new Promise<void>((ended) => {
        const sent = request({
          ...{ agent, port: ports.proxy, path: `${apiBase}/changes/stream`, rejectUnauthorized: false },
          ...{ headers: { authorization: `Bearer ${token}` }, signal: closing.signal },
        })
        sent.on('error', () => ended())
        sent.on('response', (response) => {
          const isOpen = response.statusCode === 200
          if (isOpen) result.streams++
          response.resume().on('error', () => {})
          response.on('close', () => {
            if (isOpen && isRunning) [result.streams, result.ends] = [result.streams - 1, result.ends + 1]
            ended()
          })
        })
        sent.end()
      })
      if (isRunning) await delay(500 + Math.random() * 500)
    }
  }

  const working = tokens.map(work)
  const following = tokens.map(follow)
  return {
    async stop() {
      isRunning = false
      await Promise.all(working)
      closing.abort()
      await Promise.all(following)
      return result
    },
  }
}

async function countTasks(url: URL) {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as count from tasks')
  await client.end()
  return rows[0].count as number
}
