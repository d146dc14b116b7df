import { beforeEach, describe, expect, test } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../new-id.ts'
import { bearer, expectIdle, gets, listen, openRawClient, posts } from '../testing/raw-client.ts'
import { copyTask } from '../testing/stored-rows.ts'
import { aTask } from '../testing/test-client.ts'
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

  const deltas = (count: number) => gets(`${apiBase}/changes`, count, bearer(user))
  const searchAndNotes = (more = '') =>
    gets(`${apiBase}/search?q=word`, 1, bearer(user)) + gets(`${apiBase}/notes`, 1, bearer(user) + more)

  function creationOf(item: string) {
    const change = { mutation: newId(), item, set: { ...aTask, title: 'Once' } }
    return posts(`${apiBase}/changes`, { changes: [change] }, bearer(user))
  }

  async function expectOthersAreServed() {
    const client = await openRawClient(server.app, others)
    expect(await client.finish(searchAndNotes('connection: close\r\n'))).toEqual([200, 200])
  }

  test('and reads them slowly, gets all of them in order, and its changes are stored', async () => {
    const client = await openRawClient(server.app, attacker)
    const items = [newId(), newId()]
    const last = searchAndNotes('connection: close\r\n')
    await client.send(deltas(3) + items.map(creationOf).join('') + deltas(1) + last)
    for (let part = 1; part <= 8; part++) await client.read((part * answerBytes) / 2)
    const text = await client.readToEnd()
    expect(client.statuses()).toEqual(Array(8).fill(200))
    expect(text.length).toBeGreaterThan(4 * answerBytes)
    for (const item of items) expect((await user.task(item)).title).toBe('Once')
    await expectIdle(server.app)
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
    await expectIdle(server.app)
    await expectOthersAreServed()
    const { json } = await user.call('GET /search?q=once&limit=100')
    for (const { _id, title } of json.tasks) expect([items.includes(_id), title]).toEqual([true, 'Once'])
  })
})
