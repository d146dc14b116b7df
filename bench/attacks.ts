import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { apiBase } from '#contract/limits.ts'
import { Client } from './attack-client.ts'
import { add, scenarios } from './attack-scenarios.ts'
import { memory } from './process.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { engines, startDaymark } from './servers.ts'

/** The attackers: five accounts of three networks, each an address of 127.0.0.0/8. */
const attackers = ['127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.3', '127.0.0.4']

type Waits = Record<'livez' | 'list' | 'add', number[]>

/** Calls `/livez` and makes the calls of another account at fixed times, however long earlier answers take. */
async function probe(base: string, token: string, ends: number): Promise<Waits> {
  const waits: Waits = { livez: [], list: [], add: [] }
  const [visitor, other] = [new Client(base, '127.0.0.8', ''), new Client(base, '127.0.0.9', token)]
  const pending: Promise<unknown>[] = []
  const open = new Set<() => void>()
  const measure = async (kind: keyof Waits, send: () => Promise<{ status: number }>) => {
    const began = performance.now()
    // A call without an answer counts with the time until the end.
    const unanswered = () => waits[kind].push(performance.now() - began)
    open.add(unanswered)
    const { status } = await send()
    if (!open.delete(unanswered)) return
    waits[kind].push(status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY)
  }
  for (let number = 0; Date.now() < ends; number++) {
    pending.push(measure('livez', () => visitor.send('GET /livez')))
    // The limits differ, so that not every list is a cached answer.
    const list = `GET ${apiBase}/list/getLatestTasks?limit=${(number % 50) + 1}`
    if (number % 4 === 0) pending.push(measure('list', () => other.send(list)))
    if (number % 8 === 2) pending.push(measure('add', () => add(other)))
    await delay(50)
  }
  await Promise.race([Promise.all(pending), delay(30_000)])
  for (const count of open) count()
  open.clear()
  return waits
}

type Order = { base: string; token: string; seconds: number; attack?: string; address?: string }

/** Runs in a process of its own, so that neither the server nor the attackers delay it. */
async function inProcess(order: Order): Promise<unknown> {
  const child = fork(import.meta.filename, { stdio: 'inherit' })
  child.send(order)
  // On a busy machine, attackers may get too little processor time to end by themselves.
  const kill = setTimeout(() => child.kill('SIGKILL'), (order.seconds + (order.attack ? 10 : 40)) * 1000)
  return await new Promise((resolve) => {
    child.once('message', (result) => {
      resolve(result)
      child.disconnect()
    })
    child.once('exit', () => {
      clearTimeout(kill)
      resolve(undefined)
    })
  })
}

if (import.meta.main) {
  // The benchmark was ended, or has the result.
  process.once('disconnect', () => process.exit())
  process.once('message', async ({ base, token, seconds, attack, address }: Order) => {
    const ends = Date.now() + seconds * 1000
    if (!attack) return process.send?.(await probe(base, token, ends))
    // Attackers have machines of their own: here, they get the processor time that the server and the probe leave.
    setPriority(constants.priority.PRIORITY_LOW)
    const client = new Client(base, address as string, token)
    await Promise.race([scenarios[attack]?.(client, ends), delay(seconds * 1000 + 5000)])
    process.send?.(client.statuses, () => process.exit())
  })
}

const percentile = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN

async function attackServer(url: URL, tokens: string[], name: string, count: number, seconds: number) {
  const options = {
    NODE_OPTIONS: `--max-old-space-size=512 ${process.env.BENCH_NODE_OPTIONS ?? ''}`,
    LOG_LEVEL: 'error',
    // A public server without a proxy parses received data in turns.
    HOST: '0.0.0.0',
  }
  const daymark = await startDaymark(url, options)
  const { base, pid } = daymark
  const token = tokens[0] as string
  const idle = (await inProcess({ base, token, seconds: 3 })) as Waits
  const running = attackers
    .slice(0, count)
    .map((address, index) =>
      inProcess({ base, token: tokens[index + 1] as string, seconds: seconds + 5, attack: name, address }),
    )
  let most = 0
  const sizes = setInterval(() => {
    memory(pid).then(
      (size) => (most = Math.max(most, size)),
      () => {},
    )
  }, 200)
  const waits = (await inProcess({ base, token, seconds })) as Waits
  const statuses = await Promise.all(running)
  clearInterval(sizes)
  await Promise.race([daymark.stop(), delay(10_000)])
  const title = `${name}, ${count} ${count === 1 ? 'account' : 'accounts'}`
  for (const kind of Object.keys(waits) as (keyof Waits)[])
    row(`${title}, ${kind}`, `${shown(waits[kind])}; idle ${shown(idle[kind])}`)
  row(`${title}, memory`, `${most.toFixed(0)} MB`)
  row(`${title}, answers`, JSON.stringify(statuses[0] ?? {}))
}

const shown = (values: number[]) => {
  const [high, middle] = [0.99, 0.5].map((part) => percentile(values, part).toFixed(0))
  return `${high} ms, median ${middle}, longest ${Math.max(...values).toFixed(0)}`
}

/**
 * Measures how long other clients wait while one account, and five accounts of three networks, attack. BENCH_ATTACK has
 * the names of attacks, BENCH_ACCOUNTS the numbers of accounts, both separated by commas, and BENCH_SECONDS the length of each.
 */
export async function attacks() {
  const seconds = Number(process.env.BENCH_SECONDS ?? 60)
  const counts = (process.env.BENCH_ACCOUNTS ?? '1,5').split(',').map(Number)
  for (const [engine, withDatabase] of engines()) {
    section(`Waits of others during attacks, ${engine}`, '99 %')
    for (const name of process.env.BENCH_ATTACK?.split(',') ?? Object.keys(scenarios))
      for (const count of counts)
        await withDatabase(async (url) => {
          const tasks = name === 'all at once' ? 100_000 : 100
          const tokens = await seed(url, [1000, ...attackers.slice(0, count).map(() => tasks)])
          await attackServer(url, tokens, name, count, seconds)
        })
  }
}
