import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../new-id.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { gets, listen, openRawClient } from '../testing/raw-client.ts'
import { serverForEach, type TestUser, userForEach } from '../testing/test-server.ts'

/** Each address of 127.0.0.0/8 is a network of its own. */
const [attacking, visiting] = ['127.0.0.9', '127.0.0.5']
const finishes = channel('http.server.response.finish')

// Counts the calls that are answered first; `npm run torture` measures waits in milliseconds.
onEveryEngine('while one account makes many calls that take long', (engine) => {
  const server = serverForEach(engine)
  const [attacker, visitor] = [userForEach(server), userForEach(server)]
  const answered: string[] = []
  const record = (message: unknown) => {
    const { method, url } = (message as { request: IncomingMessage }).request
    answered.push(`${method} ${url?.replace(apiBase, '')}`)
  }
  beforeEach(async () => {
    await listen(server.app)
    finishes.subscribe(record)
  })
  afterEach(() => void finishes.unsubscribe(record))

  const headersOf = (user: TestUser) => `authorization: Bearer ${user.token}\r\n`
  const post = (user: TestUser, path: string, body: object) => {
    const text = JSON.stringify(body)
    const type = `content-type: application/json\r\ncontent-length: ${text.length}\r\n`
    return `POST ${apiBase}${path} HTTP/1.1\r\nhost: localhost\r\n${headersOf(user)}${type}\r\n${text}`
  }

  /** Opens a connection that the server has accepted: it accepts one in each turn of the event loop. */
  async function open(network: string) {
    const client = await openRawClient(server.app, network)
    await client.ask(gets('/livez'))
    return client
  }

  /** Sends the attacker's requests, then the visitor's, and returns how many of the former were answered before each of the latter. */
  async function placesOf(requests: string[], attack: string, visits: Record<string, string>) {
    const attackers = await Promise.all(requests.map(() => open(attacking)))
    const visitors = await Promise.all(Object.values(visits).map(() => open(visiting)))
    answered.length = 0
    for (const [index, client] of attackers.entries()) void client.send(requests[index] as string)
    for (const [index, client] of visitors.entries()) void client.send(Object.values(visits)[index] as string)
    await Promise.all([...attackers, ...visitors].map((client) => client.read(client.bytes() + 1)))
    while (answered.length < attackers.length + visitors.length) await new Promise(setImmediate)
    for (const client of [...attackers, ...visitors]) client.leave()
    return Object.keys(visits).map(
      (name) => answered.slice(0, answered.indexOf(name)).filter((one) => one === attack).length,
    )
  }

  const tasks = (count: number, body: string) =>
    Array.from({ length: count }, () => ({
      mutation: newId(),
      item: newId(),
      set: { title: 'Task', body, dueDate: '2026-11-21', priority: 'low' },
    }))

  const visits = () => ({
    'GET /livez': gets('/livez', 1),
    'GET /list/getLatestTasks': gets(`${apiBase}/list/getLatestTasks`, 1, headersOf(visitor)),
    'POST /list/addTask': post(visitor, '/list/addTask', tasks(1, '')[0]?.set ?? {}),
  })

  test('large reads, others are answered before most of them', async () => {
    await attacker.call('POST /changes', { body: { changes: tasks(200, 'x'.repeat(4000)) } })
    const reads = Array.from({ length: 80 }, () => gets(`${apiBase}/changes`, 1, headersOf(attacker)))
    const places = await placesOf(reads, 'GET /changes', visits())
    for (const place of places) expect(place).toBeLessThan(40)
  })

  test('changes of 200 tasks, others are answered before most of them', async () => {
    const created = tasks(200, '')
    await attacker.call('POST /changes', { body: { changes: created } })
    const edits = Array.from({ length: 20 }, (_, number) => {
      const set = { title: `Edit ${number}` }
      const changes = created.map(({ item }) => ({ mutation: newId(), item, set }))
      return post(attacker, '/changes', { changes })
    })
    const places = await placesOf(edits, 'POST /changes', visits())
    for (const place of places) expect(place).toBeLessThan(10)
  })
})
