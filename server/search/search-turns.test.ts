import { expect, test } from 'vitest'
import { createSearchTurns } from './search-routes.ts'

/** A search that ends when the test ends it. */
function search(inTurn: ReturnType<typeof createSearchTurns>, owner: string, address = '192.0.2.1') {
  const { promise, resolve } = Promise.withResolvers<void>()
  const state = { begun: false, end: resolve, result: Promise.resolve() }
  state.result = inTurn(owner, address, () => {
    state.begun = true
    return promise
  })
  return state
}

const settled = () => new Promise((done) => setImmediate(done))

test('an account runs one search at a time, and the next one begins when that one has ended or failed', async () => {
  const inTurn = createSearchTurns()
  const failing = Promise.withResolvers<void>()
  const first = inTurn('ada', '192.0.2.1', () => failing.promise)
  const [second, third, other] = [search(inTurn, 'ada'), search(inTurn, 'ada'), search(inTurn, 'bob')]
  await settled()
  expect([second.begun, third.begun, other.begun]).toEqual([false, false, true])
  failing.reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  await settled()
  expect([second.begun, third.begun]).toEqual([true, false])
  second.end()
  await second.result
  await settled()
  expect(third.begun).toBe(true)
})

test('an account with five searches gets a 429 that asks it to wait for a second, and can search again when one has ended', async () => {
  const inTurn = createSearchTurns()
  const searches = Array.from({ length: 5 }, () => search(inTurn, 'ada'))
  const refusal = { status: 429, headers: { 'retry-after': '1' } }
  await expect(search(inTurn, 'ada').result).rejects.toMatchObject(refusal)
  searches[0]?.end()
  await searches[0]?.result
  const next = search(inTurn, 'ada')
  for (const { end, result } of [...searches.slice(1), next]) {
    end()
    await result
  }
})

test('a network with many accounts delays its own searches, not those of another network', async () => {
  const inTurn = createSearchTurns()
  const many = Array.from({ length: 100 }, (_, number) => search(inTurn, `user ${number}`, '192.0.2.1'))
  const other = search(inTurn, 'ada', '198.51.100.1')
  await settled()
  for (const { end } of many.slice(0, 2)) {
    end()
    await settled()
  }
  expect([other.begun, many.filter(({ begun }) => begun).length]).toEqual([true, 5])
})
