import type { IncomingMessage } from 'node:http'
import { beforeEach, expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../new-id.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { listenTo } from '../testing/event-loop.ts'
import { many } from '../testing/many-clients.ts'
import { bearer, gets, listen, openRawClient, posts } from '../testing/raw-client.ts'
import { aTask } from '../testing/test-client.ts'
import { serverForEach, userForEach } from '../testing/test-server.ts'

/** Each address of 127.0.0.0/8 is a network of its own. */
const [attacking, visiting] = ['127.0.0.9', '127.0.0.5']

// Counts the calls that are answered first; `npm run torture` measures waits in milliseconds.
onEveryEngine('while one account makes many calls that take long', (engine) => {
  const server = serverForEach(engine)
  const [attacker, visitor] = [userForEach(server), userForEach(server)]
  const answered: string[] = []
  beforeEach(async () => {
    await listen(server.app)
    listenTo('http.server.response.finish', (message) => {
      const { method, url } = (message as { request: IncomingMessage }).request
      answered.push(`${method} ${url?.replace(apiBase, '')}`)
    })
  })

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
    const [clients, sent] = [
      [...attackers, ...visitors],
      [...requests, ...Object.values(visits)],
    ]
    for (const [index, client] of clients.entries()) void client.send(sent[index] as string)
    await Promise.all(clients.map((client) => client.read(client.bytes() + 1)))
    while (answered.length < clients.length) await new Promise(setImmediate)
    for (const client of clients) client.leave()
    return Object.keys(visits).map(
      (name) => answered.slice(0, answered.indexOf(name)).filter((one) => one === attack).length,
    )
  }

  const tasks = (body = '') =>
    many(200, () => ({ mutation: newId(), item: newId(), set: { ...aTask, body } }))

  const visits = () => ({
    'GET /livez': gets('/livez', 1),
    'GET /list/getLatestTasks': gets(`${apiBase}/list/getLatestTasks`, 1, bearer(visitor)),
    'POST /list/addTask': posts(`${apiBase}/list/addTask`, aTask, bearer(visitor)),
  })

  test('large reads, others are answered before most of them', async () => {
    await attacker.call('POST /changes', { body: { changes: tasks('x'.repeat(4000)) } })
    const reads = many(80, () => gets(`${apiBase}/changes`, 1, bearer(attacker)))
    const places = await placesOf(reads, 'GET /changes', visits())
    for (const place of places) expect(place).toBeLessThan(40)
  })

  test('changes of 200 tasks, others are answered before most of them', async () => {
    const created = tasks()
    await attacker.call('POST /changes', { body: { changes: created } })
    const edits = many(20, (number) => {
      const set = { title: `Edit ${number}` }
      const changes = created.map(({ item }) => ({ mutation: newId(), item, set }))
      return posts(`${apiBase}/changes`, { changes }, bearer(attacker))
    })
    const places = await placesOf(edits, 'POST /changes', visits())
    for (const place of places) expect(place).toBeLessThan(10)
  })
})
