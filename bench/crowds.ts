import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { addTask, load, median } from './load.ts'
import { memory } from './process.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

const path = '/api/v1/list/getLatestTasks?limit=20'

/** Offers four times as many creates as the server's capacity, and measures how many are acknowledged. */
export async function overload(rounds: number) {
  section('Overload, creates on SQLite')
  await withSqliteFile(async (url) => {
    const tokens = await seed(url, Array(rounds * 2).fill(0))
    const daymark = await startDaymark(url)
    const goodput: number[] = []
    for (let round = 0; round < rounds; round++) {
      const peak = await load(daymark.base, { ...addTask, token: tokens.pop() as string })
      const offered = { connections: 1024, rate: Math.round(peak.requestsPerSecond * 4), allowErrors: true }
      const over = await load(daymark.base, { ...addTask, token: tokens.pop() as string, ...offered })
      goodput.push(over.requestsPerSecond / peak.requestsPerSecond)
    }
    row('goodput at four times capacity, of peak (at least 0.9)', median(goodput))
    await daymark.stop()
  })
}

/** Measures the effect of many idle connections on the latency of active ones and on memory. */
export async function idleConnections(rounds: number) {
  section('10,000 idle connections')
  await withSqliteFile(async (url) => {
    const [token] = (await seed(url, [1000])) as [string]
    const daymark = await startDaymark(url)
    const p99 = async () => {
      const runs: number[] = []
      for (let round = 0; round < rounds; round++) runs.push((await load(daymark.base, { path, token })).p99)
      return median(runs)
    }
    const without = await p99()
    const idle = await connections(daymark.base, 10_000)
    for (const socket of idle) socket.write('GET /livez HTTP/1.1\r\nHost: daymark\r\n\r\n')
    const withIdle = await p99()
    row('p99 of active ones, against none idle (at most 2)', withIdle / without)
    row('memory (at most 512 MB)', `${(await memory(daymark.pid)).toFixed(0)} MB`)
    for (const socket of idle) socket.destroy()
    await daymark.stop()
  })
}

/** Measures how the server responds to a client while another address uses all resources that it can get. */
export async function greedyNetwork() {
  section('One network: 12,000 idle connections, 1,000 unread pipelines of 8, 500 half-sent bodies')
  await withSqliteFile(async (url) => {
    const [token] = (await seed(url, [1000])) as [string]
    const daymark = await startDaymark(url)
    const greedy = await connections(daymark.base, 12_000, '127.0.0.2')
    for (const [i, socket] of greedy.entries()) {
      if (i < 10_500) continue
      socket.pause()
      const half = `POST /api/v1/user/login HTTP/1.1\r\nHost: daymark\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n${' '.repeat(8000)}`
      socket.write(i < 11_500 ? 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: daymark\r\n\r\n'.repeat(8) : half)
    }
    row('p99 of another client (all answered)', `${(await load(daymark.base, { path, token })).p99} ms`)
    row('memory (at most 512 MB)', `${(await memory(daymark.pid)).toFixed(0)} MB`)
    for (const socket of greedy) socket.destroy()
    await daymark.stop()
  })
}

/** Measures how long slow clients, which send one byte per second, can keep their connections open. */
export async function slowConnections() {
  section('2,000 slow connections')
  await withSqliteFile(async (url) => {
    await seed(url, [0])
    const daymark = await startDaymark(url)
    const began = performance.now()
    const slow = await connections(daymark.base, 2000)
    for (const socket of slow) socket.write('POST /api/v1/user/login HTTP/1.1\r\nHost: ')
    const drip = setInterval(() => {
      for (const socket of slow) if (socket.writable) socket.write('x')
    }, 1000)
    await Promise.all(slow.map((socket) => socket.closed || once(socket, 'close')))
    clearInterval(drip)
    row('until all are closed (at most 12 s)', `${((performance.now() - began) / 1000).toFixed(1)} s`)
    await daymark.stop()
  })
}

async function connections(base: string, count: number, localAddress?: string): Promise<Socket[]> {
  const port = Number(new URL(base).port)
  const sockets: Socket[] = []
  for (let opened = 0; opened < count; opened += 500) {
    const more = Array.from({ length: Math.min(500, count - opened) }, () =>
      connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) }),
    )
    for (const socket of more) socket.on('error', () => {}).resume()
    await Promise.all(more.map((socket) => once(socket, 'connect')))
    sockets.push(...more)
  }
  return sockets
}
