import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../new-id.ts'
import { eventually, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { copyTask } from '../testing/stored-rows.ts'
import { publicHost, serverForEach, userForEach } from '../testing/test-server.ts'

/** Each address of 127.0.0.0/8 is a network of its own. */
const attacker = '127.0.0.9'
const others = '127.0.0.5'
/** The size of the longest answers: fewer bytes than one page of a delta holds. */
const answerBytes = 900_000
/** Of unread answers. */
const queuedBytes = 10 * answerBytes

// The memory that a server uses for its connections does not depend on the engine.
describe('a client that pipelines calls with large answers', () => {
  const server = serverForEach('sqlite', publicHost, { waitingBytes: queuedBytes })
  const user = userForEach(server)
  beforeEach(async () => {
    await listen(server.app)
    const { _id } = await user.addTask({ title: 'a word' })
    await copyTask(server.database, _id, Array(9).fill({ body: 'x'.repeat(answerBytes / 9) }))
  })

  const authorization = () => `authorization: Bearer ${user.token}\r\n`
  const deltas = (count: number) => gets(`${apiBase}/changes`, count, authorization())
  const searchAndNotes = (more = '') =>
    gets(`${apiBase}/search?q=word`, 1, authorization()) + gets(`${apiBase}/notes`, 1, authorization() + more)

  function creationOf(item: string) {
    const set = { title: 'Once', dueDate: '2026-11-21', priority: 'low' }
    const body = JSON.stringify({ changes: [{ mutation: randomUUID(), item, set }] })
    const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
    return `POST ${apiBase}/changes HTTP/1.1\r\nhost: localhost\r\n${authorization()}${type}\r\n${body}`
  }

  async function expectOthersAreServed() {
    const client = await openRawClient(server.app, others)
    expect(await client.finish(searchAndNotes('connection: close\r\n'))).toEqual([200, 200])
  }

  const expectNothingIsHeld = () =>
    eventually(() => {
      const { connections, requests, waitingBytes } = server.app.load
      return [connections.count, requests.slots, waitingBytes.used]
    }).toEqual([0, 0, 0])

  test('and reads them slowly, gets all of them in order, and its changes are stored', async () => {
    const client = await openRawClient(server.app, attacker)
    const items = [newId(), newId()]
    await client.send(
      deltas(3) + items.map(creationOf).join('') + deltas(1) + searchAndNotes('connection: close\r\n'),
    )
    for (let part = 1; part <= 8; part++) await client.read((part * answerBytes) / 2)
    const text = await client.readToEnd()
    expect(client.statuses()).toEqual(Array(8).fill(200))
    expect(text.length).toBeGreaterThan(4 * answerBytes)
    for (const item of items) expect((await user.task(item)).title).toBe('Once')
    await expectNothingIsHeld()
  })

  test('and reads none of them, uses a limited number of bytes of the server, while others are served', async () => {
    const clients = await Promise.all(Array.from({ length: 40 }, () => openRawClient(server.app, attacker)))
    const held: number[] = []
    for (const client of clients) {
      await client.send(deltas(6) + searchAndNotes())
      held.push(server.app.load.waitingBytes.used)
    }
    await expectOthersAreServed()
    expect(Math.max(...held, server.app.load.waitingBytes.used)).toBeLessThanOrEqual(queuedBytes)
    for (const client of clients) client.leave()
    await expectNothingIsHeld()
  })

  test('and disconnects in the middle of them, uses no memory of the server, and its changes are stored or not', async () => {
    const items = Array.from({ length: 40 }, () => newId())
    await Promise.all(
      items.map(async (item) => {
        const client = await openRawClient(server.app, attacker)
        await client.send(deltas(2) + creationOf(item) + searchAndNotes() + deltas(3))
        await client.read(1000)
        client.leave()
      }),
    )
    await expectNothingIsHeld()
    await expectOthersAreServed()
    const { json } = await user.call('GET /search?q=once&limit=100')
    for (const { _id, title } of json.tasks) expect([items.includes(_id), title]).toEqual([true, 'Once'])
  })
})
