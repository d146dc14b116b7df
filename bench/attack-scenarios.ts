import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../server/new-id.ts'
import type { Answer, Client } from './attack-client.ts'

export type Attack = (client: Client, ends: number) => Promise<unknown>

/** Sends requests on this many connections until `ends`. A refused one is sent again a little later. */
async function repeat(count: number, ends: number, send: (index: number) => Promise<Answer>) {
  const one = async (index: number) => {
    while (Date.now() < ends) if ((await send(index)).status !== 200) await delay(20)
  }
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)))
}

const task = (title: string, body = '') => ({ title, body, dueDate: '2026-11-21', priority: 'low' })

export const add = (client: Client, body?: string) =>
  client.send(`POST ${apiBase}/list/addTask`, JSON.stringify(task('Task', body)), newId())

const change = (client: Client, changes: object[]) =>
  client.send(
    `POST ${apiBase}/changes`,
    JSON.stringify({ changes: changes.map((each) => ({ mutation: newId(), ...each })) }),
  )

const items = (count: number) => Array.from({ length: count }, () => newId())

/** Creates tasks and returns their ids. */
async function create(client: Client, count: number, body: string): Promise<string[]> {
  const ids = items(count)
  await change(
    client,
    ids.map((item) => ({ item, set: task('Task', body) })),
  )
  return ids
}

/** The first lines of a request for `hold`. */
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: daymark\r\n\r\n`
const post = (path: string) =>
  `POST ${apiBase}/${path} HTTP/1.1\r\nhost: daymark\r\ncontent-type: application/json\r\n`

/** Attacks of accounts. */
const byAccounts: Record<string, Attack> = {
  'many invalid items': (client, ends) => {
    const [empty, zeros] = [
      `{"changes":[${'{},'.repeat(349_000)}{}]}`,
      `{"items":[${'0,'.repeat(523_000)}0]}`,
    ]
    return repeat(6, ends, (index) =>
      index % 2
        ? client.send(`POST ${apiBase}/changes`, empty)
        : client.send(`POST ${apiBase}/items/purge`, zeros),
    )
  },
  'combining marks': (client, ends) => {
    const body = '\u0315\u0300'.repeat(50_000)
    return repeat(4, ends, () => add(client, body))
  },
  'calls of 200 edits': async (client, ends) => {
    const ids = await create(client, 200, 'x')
    let number = 0
    await repeat(256, ends, () => {
      const set = { title: `Edit ${number++}` }
      return change(
        client,
        ids.map((item) => ({ item, set })),
      )
    })
  },
  'undos of 2000 changes': async (client, ends) => {
    const [ids, group] = [await create(client, 200, 'x'), randomUUID()]
    let cursor = ''
    for (let round = 0; round < 10; round++) {
      const edits = ids.map((item) => ({ item, group, set: { title: `Edit ${round}` } }))
      cursor = JSON.parse((await change(client, edits)).text || '{}').cursor ?? cursor
    }
    await repeat(40, ends, async () => {
      const answer = await client.send(
        `POST ${apiBase}/changes/${Number.parseInt(cursor, 10)}/undo?group=true`,
      )
      if (answer.status === 200) ({ cursor } = JSON.parse(answer.text))
      return answer
    })
  },
  'deltas of 0.8 MB': async (client, ends) => {
    await create(client, 200, 'x'.repeat(4000))
    await repeat(100, ends, () => client.send(`GET ${apiBase}/changes`))
  },
  'lists of 1 MB': async (client, ends) => {
    await create(client, 200, 'x'.repeat(4000))
    await repeat(300, ends, () => client.send(`GET ${apiBase}/list/getLatestTasks?limit=200`))
  },
  'searches of 16 tags': async (client, ends) => {
    const tags = Array.from({ length: 16 }, (_, number) => `#t${number}`)
    const set = { text: `${tags.join(' ')} `.repeat(1200) }
    for (const item of items(10)) await change(client, [{ item, kind: 'note', base: 0, set }])
    const q = encodeURIComponent(tags.join(' '))
    await repeat(5, ends, () => client.send(`GET ${apiBase}/search?q=${q}`))
  },
  'creates and purges in a circle': (client, ends) =>
    repeat(10, ends, async () => {
      const ids = await create(client, 50, 'x')
      await change(
        client,
        ids.map((item) => ({ item, set: { deleted: true } })),
      )
      return await client.send(`POST ${apiBase}/items/purge`, JSON.stringify({ items: ids }))
    }),
  'bodies of 1 MB and sign-ups without an account': (known, ends) => {
    const client = known.withoutAccount()
    const long = JSON.stringify({ email: 'x'.repeat(1_000_000), password: '' })
    const person = () =>
      JSON.stringify({ name: 'Eve', email: `${newId()}@example.org`, password: 'a long enough password' })
    return repeat(40, ends, (index) =>
      index % 2
        ? client.send(`POST ${apiBase}/list/addTask`, long)
        : client.send(`POST ${apiBase}/user/register`, person()),
    )
  },
  'lists of versions': async (client, ends) => {
    const [note] = items(1) as [string]
    let base = 0
    for (let round = 0; round < 50; round++) {
      const set = { text: `${round} ${'z'.repeat(20_000)}` }
      const { text } = await change(client, [{ kind: 'note', item: note, base, set }])
      base = JSON.parse(text || '{}').items?.[0]?.item?.version ?? base
    }
    await repeat(100, ends, () => client.send(`GET ${apiBase}/notes/${note}/versions`))
  },
}

/** Attacks that need no account. They are not part of "all at once", because they would take the connections of the others. */
const byConnections: Record<string, Attack> = {
  'bodies in chunks of one byte': (client, ends) => {
    const first = `${post('user/login')}transfer-encoding: chunked\r\n\r\n`
    return repeat(200, ends, () => client.hold(ends, { first, again: '1\r\nx\r\n'.repeat(2700) }))
  },
  'pipelined requests': (client, ends) =>
    repeat(100, ends, () => client.hold(ends, { again: get('/readyz').repeat(500) })),
  '4000 connections with heads of 15 KB': (client, ends) => {
    const first = `GET /readyz HTTP/1.1\r\nhost: daymark\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(15)}`
    return repeat(4000, ends, () => client.hold(ends, { first }))
  },
  '10000 idle connections': (client, ends) =>
    repeat(10_000, ends, () => client.hold(ends, { first: get('/livez') })),
  '2000 connections that send a byte per second': (client, ends) => {
    const first = `${post('user/login')}x-slow: `
    return repeat(2000, ends, () => client.hold(ends, { first, eachSecond: 'x' }))
  },
  // 500 have unfinished bodies, 1,000 unread responses, and the others are idle.
  '12000 connections with unread responses and unfinished bodies': (client, ends) => {
    const unfinished = `${post('user/login')}content-length: 16000\r\n\r\n${' '.repeat(8000)}`
    const unread = { first: get(`${apiBase}/openapi.json`).repeat(8), readsAnswers: false }
    return repeat(12_000, ends, (index) =>
      client.hold(ends, index < 10_500 ? {} : index < 11_500 ? unread : { first: unfinished }),
    )
  },
}

/** The attacks by name. A name contains no comma, because BENCH_ATTACK separates names by commas. */
export const scenarios: Record<string, Attack> = {
  ...byAccounts,
  'all at once': (client, ends) =>
    Promise.all(Object.values(byAccounts).map((attack) => attack(client, ends))),
  ...byConnections,
  // Their numbers of answers show how many additions are stored when more are sent than the server can store.
  'additions on 32 connections': (client, ends) => repeat(32, ends, () => add(client)),
  'additions on 1024 connections': (client, ends) => repeat(1024, ends, () => add(client)),
}
