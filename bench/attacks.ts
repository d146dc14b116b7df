import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../server/new-id.ts'
import { withPostgres } from './postgres.ts'
import { memory } from './process.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

/** The attackers: five accounts of three networks, each an address of 127.0.0.0/8. */
const attackers = ['127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.3', '127.0.0.4']

/** One client of one account: sends a request and returns the status, the headers and the answer, which it reads. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 400 })
  readonly #base: string
  readonly #address: string
  readonly #token: string
  readonly statuses: Record<string, number> = {}

  constructor(base: string, address: string, token: string) {
    this.#base = base
    this.#address = address
    this.#token = token
  }

  /** The same client without a token. Its statuses are counted together. */
  withoutAccount(): Client {
    const client = new Client(this.#base, this.#address, '')
    return Object.assign(client, { statuses: this.statuses })
  }

  /** Opens a connection, sends `first` and then `again` as fast as the server reads it, until the server closes it or `ends`. */
  flood(first: string, again: string, ends: number): Promise<{ status: number }> {
    const { hostname, port } = new URL(this.#base)
    const socket = connect({ host: hostname, port: Number(port), localAddress: this.#address })
    const send = () => {
      while (again && !socket.destroyed && Date.now() < ends && socket.write(again));
    }
    const timer = setTimeout(() => socket.destroy(), ends - Date.now())
    socket.write(first)
    socket
      .on('drain', send)
      .on('error', () => {})
      .resume()
    send()
    return new Promise((resolve) => {
      socket.once('close', () => {
        clearTimeout(timer)
        this.statuses[0] = (this.statuses[0] ?? 0) + 1
        resolve({ status: 0 })
      })
    })
  }

  /** With `key`, the request has this `Idempotency-Key`. */
  send(endpoint: string, body?: string | Buffer, key?: string): Promise<{ status: number; text: string }> {
    const [method, path] = endpoint.split(' ') as [string, string]
    const type = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body ?? '') }
    const own = this.#token && { authorization: `Bearer ${this.#token}` }
    const headers = { ...own, ...(body !== undefined && type), ...(key && { 'idempotency-key': key }) }
    const options = { method, headers, agent: this.#agent, localAddress: this.#address }
    return new Promise((resolve) => {
      const fail = () => resolve({ status: 0, text: '' })
      const call = request(this.#base + path, options, (response) => {
        const chunks: Buffer[] = []
        response
          .on('data', (chunk) => chunks.push(chunk))
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          )
          .on('error', fail)
      })
      call.on('error', fail).end(body)
    }).then((answer) => {
      const { status } = answer as { status: number; text: string }
      this.statuses[status] = (this.statuses[status] ?? 0) + 1
      return answer as { status: number; text: string }
    })
  }
}

const api = '/api/v1'
const changes = (sets: object[], more: object = {}) =>
  JSON.stringify({ changes: sets.map((set) => ({ mutation: newId(), ...more, ...set })) })
const task = (title: string, body = '') => ({ title, body, dueDate: '2026-11-21', priority: 'low' })

/** Sends requests on this many connections until `ends`. A refused one is sent again a little later. */
async function repeat(count: number, ends: number, send: (index: number) => Promise<{ status: number }>) {
  const one = async (index: number) => {
    while (Date.now() < ends) if ((await send(index)).status !== 200) await delay(20)
  }
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)))
}

type Attack = (client: Client, ends: number) => Promise<unknown>

const items = (count: number) => Array.from({ length: count }, () => newId())

/** Creates tasks and returns their ids. */
async function create(client: Client, count: number, body: string): Promise<string[]> {
  const ids = items(count)
  await client.send(`POST ${api}/changes`, changes(ids.map((item) => ({ item, set: task('Task', body) }))))
  return ids
}

const attacks: Record<string, Attack> = {
  'many invalid items': (client, ends) => {
    const [empty, zeros] = [
      `{"changes":[${'{},'.repeat(349_000)}{}]}`,
      `{"items":[${'0,'.repeat(523_000)}0]}`,
    ]
    return repeat(6, ends, (index) =>
      index % 2 ? client.send(`POST ${api}/changes`, empty) : client.send(`POST ${api}/items/purge`, zeros),
    )
  },
  'combining marks': (client, ends) => {
    const body = JSON.stringify(task('Marks', '\u0315\u0300'.repeat(50_000)))
    return repeat(4, ends, () => client.send(`POST ${api}/list/addTask`, body))
  },
  'calls of 200 edits': async (client, ends) => {
    const ids = await create(client, 200, 'x')
    let number = 0
    await repeat(256, ends, () => {
      const title = `Edit ${number++}`
      return client.send(`POST ${api}/changes`, changes(ids.map((item) => ({ item, set: { title } }))))
    })
  },
  'undos of 2000 changes': async (client, ends) => {
    const [ids, group] = [await create(client, 200, 'x'), randomUUID()]
    let cursor = ''
    for (let round = 0; round < 10; round++) {
      const edits = ids.map((item) => ({ item, group, set: { title: `Edit ${round}` } }))
      cursor =
        JSON.parse((await client.send(`POST ${api}/changes`, changes(edits))).text || '{}').cursor ?? cursor
    }
    await repeat(40, ends, async () => {
      const answer = await client.send(`POST ${api}/changes/${Number.parseInt(cursor, 10)}/undo?group=true`)
      if (answer.status === 200) ({ cursor } = JSON.parse(answer.text))
      return answer
    })
  },
  'deltas of 0.8 MB': async (client, ends) => {
    await create(client, 200, 'x'.repeat(4000))
    await repeat(100, ends, () => client.send(`GET ${api}/changes`))
  },
  'lists of 1 MB': async (client, ends) => {
    await create(client, 200, 'x'.repeat(4000))
    await repeat(300, ends, () => client.send(`GET ${api}/list/getLatestTasks?limit=200`))
  },
  'searches of 16 tags': async (client, ends) => {
    const tags = Array.from({ length: 16 }, (_, number) => `#t${number}`)
    for (let count = 0; count < 10; count++)
      await client.send(
        `POST ${api}/changes`,
        changes([{ kind: 'note', base: 0, set: { text: `${tags.join(' ')} `.repeat(1200) } }], {
          item: newId(),
        }),
      )
    const q = encodeURIComponent(tags.join(' '))
    await repeat(5, ends, () => client.send(`GET ${api}/search?q=${q}`))
  },
  'creates and purges in a circle': (client, ends) =>
    repeat(10, ends, async () => {
      const ids = await create(client, 50, 'x')
      await client.send(`POST ${api}/changes`, changes(ids.map((item) => ({ item, set: { deleted: true } }))))
      return await client.send(`POST ${api}/items/purge`, JSON.stringify({ items: ids }))
    }),
  'bodies of 1 MB and sign-ups without an account': (known, ends) => {
    const client = known.withoutAccount()
    const body = JSON.stringify({ email: 'x'.repeat(1_000_000), password: '' })
    return repeat(40, ends, (index) =>
      index % 2
        ? client.send(`POST ${api}/list/addTask`, body)
        : client.send(
            `POST ${api}/user/register`,
            JSON.stringify({
              name: 'Eve',
              email: `${newId()}@example.org`,
              password: 'a long enough password',
            }),
          ),
    )
  },
  'lists of versions': async (client, ends) => {
    const [note] = items(1) as [string]
    let base = 0
    for (let round = 0; round < 50; round++) {
      const edit = changes([
        { kind: 'note', item: note, base, set: { text: `${round} ${'z'.repeat(20_000)}` } },
      ])
      const { text } = await client.send(`POST ${api}/changes`, edit)
      base = JSON.parse(text || '{}').items?.[0]?.item?.version ?? base
    }
    await repeat(100, ends, () => client.send(`GET ${api}/notes/${note}/versions`))
  },
}

const byAccounts = Object.values(attacks)
attacks['all at once'] = (client, ends) => Promise.all(byAccounts.map((attack) => attack(client, ends)))

// The following need no account, and are not part of "all at once": they would take the connections of the others.

attacks['bodies in chunks of one byte'] = (client, ends) => {
  const headers = 'host: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
  const head = `POST ${api}/user/login HTTP/1.1\r\n${headers}`
  return repeat(200, ends, () => client.flood(head, '1\r\nx\r\n'.repeat(2700), ends))
}

attacks['pipelined requests'] = (client, ends) =>
  repeat(100, ends, () =>
    client.flood('', 'GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(500), ends),
  )

attacks['4000 connections with heads of 15 KB'] = (client, ends) => {
  const head = `GET /readyz HTTP/1.1\r\nhost: localhost\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(15)}`
  return repeat(4000, ends, () => client.flood(head, '', ends))
}

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
    if (number % 4 === 0)
      pending.push(
        measure('list', () => other.send(`GET ${api}/list/getLatestTasks?limit=${(number % 50) + 1}`)),
      )
    if (number % 8 === 2)
      pending.push(
        measure('add', () => other.send(`POST ${api}/list/addTask`, JSON.stringify(task('Mine')), newId())),
      )
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
  return await new Promise((resolve) => {
    child.once('message', (result) => {
      resolve(result)
      child.disconnect()
    })
    child.once('exit', () => resolve(undefined))
  })
}

if (import.meta.main)
  process.once('message', async ({ base, token, seconds, attack, address }: Order) => {
    const ends = Date.now() + seconds * 1000
    if (!attack) return process.send?.(await probe(base, token, ends))
    // Attackers have machines of their own: here, they get the processor time that the server and the probe leave.
    setPriority(constants.priority.PRIORITY_LOW)
    const client = new Client(base, address as string, token)
    await Promise.race([attacks[attack]?.(client, ends), delay(seconds * 1000 + 2000)])
    process.send?.(client.statuses, () => process.exit())
  })

const percentile = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN
const shown = (values: number[]) =>
  [percentile(values, 0.5), percentile(values, 0.99), Math.max(...values)]
    .map((each) => each.toFixed(0))
    .join(' / ')

async function attackServer(url: URL, tokens: string[], name: string, count: number, seconds: number) {
  const options = {
    NODE_OPTIONS: `--max-old-space-size=512 ${process.env.BENCH_NODE_OPTIONS ?? ''}`,
    LOG_LEVEL: 'error',
  }
  const daymark = await startDaymark(url, options)
  const { base, pid } = daymark
  const token = tokens[0] as string
  const before = (await inProcess({ base, token, seconds: 3 })) as Waits
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
  const kinds = Object.keys(waits) as (keyof Waits)[]
  const cells = kinds.map((kind) => `${kind} ${shown(waits[kind])} (idle ${shown(before[kind])})`)
  row(
    `${name}, ${count} accounts`,
    `${cells.join('; ')}; ${most.toFixed(0)} MB; ${JSON.stringify(statuses[0])}`,
  )
}

/**
 * Measures how long other clients wait while one account, and five accounts of three networks, attack: median, 99th percentile
 * and maximum in milliseconds. BENCH_ATTACK names one attack, BENCH_ENGINE one engine.
 */
export async function attacksOnOthers() {
  const seconds = Number(process.env.BENCH_SECONDS ?? 60)
  const counts = (process.env.BENCH_ACCOUNTS ?? '1,5').split(',').map(Number)
  const engines = { SQLite: withSqliteFile, PostgreSQL: withPostgres }
  for (const [engine, withDatabase] of Object.entries(engines)) {
    if ((process.env.BENCH_ENGINE ?? engine) !== engine) continue
    section(`Waits during attacks, ${engine}: median / p99 / maximum in ms`)
    for (const name of process.env.BENCH_ATTACK?.split(',') ?? Object.keys(attacks))
      for (const count of counts)
        await withDatabase(async (url) => {
          const tasks = name === 'all at once' ? 100_000 : 100
          const tokens = await seed(url, [1000, ...attackers.slice(0, count).map(() => tasks)])
          await attackServer(url, tokens, name, count, seconds)
        })
  }
}
