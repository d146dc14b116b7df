import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { excerptOf } from '#contract/excerpt.ts'
import { foldedTexts } from '#contract/folding.ts'
import { apiBase, noteLength } from '#contract/limits.ts'
import { similarTo } from '#contract/similar-words.ts'
import { inEachTurn } from '../testing/event-loop.ts'
import { many } from '../testing/many-clients.ts'
import { bearer, eventually, expectIdle, flood, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { rounds } from '../testing/rounds.ts'
import { copyTask } from '../testing/stored-rows.ts'
import { serverForEach, type TestUser } from '../testing/test-server.ts'

/** Each address of 127.0.0.0/8 is a network of its own. */
const attacker = '127.0.0.9'

// The turns of searches do not depend on the engine.
describe('a client that searches as much as possible', () => {
  const server = serverForEach('sqlite')
  beforeEach(() => listen(server.app))

  const searchOf = (user: TestUser) => gets(`${apiBase}/search?q=word`, 1, bearer(user))

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

  test('for 16 tags in texts of nothing but tags, has each text read once, and few of them in one turn', async () => {
    const user = await server.newUser()
    const { _id } = await user.addTask()
    const wanted = many(16, (number) => `#${String.fromCodePoint(97 + number)}b`)
    const body = `${'#a '.repeat(8_000)}${wanted.join(' ')}`
    const folded = `t\n${body}`
    await copyTask(server.database, _id, Array(40).fill({ title: 't', body, folded }))

    /** The units that were searched for tags in each turn of the event loop. */
    const units = [0]
    inEachTurn(() => units.push(0))
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
    for (const client of await flood(server.app, 50, searchOf(user), attacker)) client.leave()
    await expectIdle(server.app)
    expect(await statusOf(searchOf(user), attacker)).toBe(200)
  })

  const floods = rounds(1000, 50)
  test(`${floods} times at once with one account, gets 429 for most, and other networks are served`, async () => {
    const user = await userWithTexts()
    const flooding = many(floods, () => statusOf(searchOf(user), attacker).catch(() => undefined))
    const other = await server.newUser()
    await other.addTask({ title: 'a word' })
    expect(await statusOf(searchOf(other), '127.0.0.5')).toBe(200)
    const statuses = new Set(await Promise.all(flooding))
    expect(statuses).toContain(200)
    expect([...statuses].filter((status) => ![200, 429, 503, undefined].includes(status))).toEqual([])
    await eventually(() => server.app.load.requests.slots).toBe(0)
  })
})

test('the tags of a text are read once for all words of a query', () => {
  const words = [...'abcdefgh'].map((letter) => `#${letter}bcdefghij`)
  // Each word is the beginning of a longer tag.
  const texts = ['T', words.map((word) => `${word}k`).join(' ')]
  const find = similarTo(words)
  const read = vi.spyOn(texts, 'flatMap')
  expect(find(foldedTexts(texts), texts)).toHaveLength(words.length)
  expect(read).toHaveBeenCalledTimes(1)
})

test('of a text without the words, an excerpt folds whole parts and not each character', () => {
  const text = `title\n${'#abcdeä '.repeat(noteLength.max / 8)}`
  const normalize = vi.spyOn(String.prototype, 'normalize')
  onTestFinished(() => normalize.mockRestore())
  excerptOf(text, ['#abcde', 'missing'])
  expect(normalize.mock.calls.length).toBeLessThan(100)
})
