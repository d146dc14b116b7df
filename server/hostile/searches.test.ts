import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { foldedTexts } from '#contract/folding.ts'
import { apiBase } from '#contract/limits.ts'
import { eventually, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { rounds } from '../testing/rounds.ts'
import { copyTask } from '../testing/stored-rows.ts'
import { serverForEach, type TestUser } from '../testing/test-server.ts'

const many = <T>(count: number, make: (index: number) => T) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))
/** Each address of 127.0.0.0/8 is a network of its own. */
const attacker = '127.0.0.9'

// The turns of searches do not depend on the engine.
describe('a client that searches as much as possible', () => {
  const server = serverForEach('sqlite')
  beforeEach(() => listen(server.app))

  const searchOf = (user: Pick<TestUser, 'token'>, q = 'word') =>
    gets(`${apiBase}/search?q=${encodeURIComponent(q)}`, 1, `authorization: Bearer ${user.token}\r\n`)

  /** A user with long texts, so that one search takes many statements. */
  async function userWithTexts() {
    const user = await server.newUser()
    const { _id, title } = await user.addTask()
    const folded = foldedTexts([title, 'x'.repeat(700_000)])
    await copyTask(server.database, _id, Array(6).fill({ folded }))
    return user
  }

  /** Sends a request on a connection of its own and returns its status. */
  async function statusOf(request: string, from: string) {
    const client = await openRawClient(server.app, from)
    const [status] = await client.ask(request)
    client.leave()
    return status
  }

  async function expectOthersAreServed() {
    const other = await server.newUser()
    await other.addTask({ title: 'a word' })
    expect(await statusOf(searchOf(other), '127.0.0.5')).toBe(200)
  }

  test('for 16 tags in texts of nothing but tags, has each text read once, and few of them in one turn', async () => {
    const user = await server.newUser()
    const { _id } = await user.addTask()
    const wanted = Array.from({ length: 16 }, (_, number) => `#${String.fromCodePoint(97 + number)}b`)
    const body = `${'#a '.repeat(8_000)}${wanted.join(' ')}`
    const folded = `t\n${body}`
    await copyTask(server.database, _id, Array(40).fill({ title: 't', body, folded }))

    /** The units that were searched for tags in each turn of the event loop. */
    const units = [0]
    let turns = setImmediate(function count() {
      units.push(0)
      turns = setImmediate(count)
    })
    // Reading a text takes five milliseconds of a clock that this machine's speed hardly changes.
    let textsRead = 0
    const clock = performance.now.bind(performance)
    const time = vi.spyOn(performance, 'now').mockImplementation(() => clock() + 5 * textsRead)
    const { exec } = RegExp.prototype
    const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
      // Whether it is a heading is asked once for each line.
      if (text === body && this.source.startsWith('^#{1,6}')) {
        units.push((units.pop() ?? 0) + text.length)
        textsRead++
      }
      return exec.call(this, text)
    })
    onTestFinished(() => {
      clearImmediate(turns)
      spy.mockRestore()
      time.mockRestore()
    })
    const { json } = await user.call(`GET /search?q=${encodeURIComponent(wanted.join(' '))}`)
    expect(json.tasks).toHaveLength(40)
    expect(Math.max(...units)).toBeLessThan(5 * folded.length)
    expect(units.reduce((sum, each) => sum + each)).toBeLessThan(41 * folded.length)
  })

  test('and disconnects, ends its searches, which hold no slot and do not delay the next one', async () => {
    const user = await userWithTexts()
    let arrived = 0
    server.app.server.on('request', () => arrived++)
    const clients = await many(50, () => openRawClient(server.app, attacker))
    for (const client of clients) await client.send(searchOf(user))
    await eventually(() => arrived).toBe(50)
    for (const client of clients) client.leave()
    await eventually(() => server.app.load.connections.count).toBe(0)
    await eventually(() => server.app.load.requests.slots).toBe(0)
    expect(await statusOf(searchOf(user), attacker)).toBe(200)
  })

  const floods = rounds(1000, 50)
  test(`${floods} times at once with one account, gets 429 for most, and other networks are served`, async () => {
    const user = await userWithTexts()
    const flood = many(floods, () => statusOf(searchOf(user), attacker).catch(() => undefined))
    await expectOthersAreServed()
    const statuses = new Set(await flood)
    expect(statuses).toContain(200)
    expect([...statuses].filter((status) => ![200, 429, 503, undefined].includes(status))).toEqual([])
    await eventually(() => server.app.load.requests.slots).toBe(0)
  })
})
