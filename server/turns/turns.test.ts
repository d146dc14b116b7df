import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connected, runAs, runAsProbe, runAsTransaction, transactionClock, turn } from './turns.ts'

// The clock advances only while a test works, so the speed of the machine does not matter.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())

/** Does this many pieces of work of two milliseconds, one after another, and notes each. */
async function work(name: string, count: number, done: string[]) {
  for (let piece = 0; piece < count; piece++) {
    const wait = turn()
    if (wait) await wait
    vi.advanceTimersByTime(2)
    done.push(name)
  }
}

const as = (account: string, run: () => Promise<void>) =>
  new Promise<void>((resolve) => runAs(['clients', account], () => void run().then(resolve)))

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Begins 20 times five pieces of work, of an account each or of one. `ended` checks that none of them is lost. */
async function crowd(accountOf = (number: number) => `account ${number}`) {
  const done: string[] = []
  const works = Array.from({ length: 20 }, (_, number) => as(accountOf(number), () => work('x', 5, done)))
  await nextTurn()
  const ended = async () => {
    await Promise.all(works)
    expect(done.filter((name) => name === 'x')).toHaveLength(100)
  }
  return { done, before: done.length, ended }
}

test('Between two turns of the event loop at most five milliseconds of work begin, of all parties together', async () => {
  const { done, ended } = await crowd()
  const perTurn = [done.length]
  while (done.length < 100) {
    const before = done.length
    await nextTurn()
    perTurn.push(done.length - before)
  }
  await ended()
  // A turn may end in the middle of the test's own.
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2 * 3)
})

test('Short work of one account waits for few pieces of the work of another one, however many there are', async () => {
  const { done, before, ended } = await crowd(() => 'attacker')
  await as('visitor', () => work('visitor', 3, done))
  expect(done.length - before).toBeLessThan(40)
  await ended()
})

test('A transaction has four fifths of the time while others wait', async () => {
  const { done, before, ended } = await crowd()
  await runAsTransaction(() => work('transaction', 20, done))
  expect(done.slice(before).filter((name) => name === 'x').length).toBeLessThan(15)
  await ended()
})

test('The clock of transactions counts their work, and not that of others meanwhile', async () => {
  const { done, before, ended } = await crowd()
  const time = transactionClock()
  await runAsTransaction(() => work('transaction', 20, done))
  expect(done.length - before).toBeGreaterThan(20)
  expect(transactionClock() - time).toBe(40)
  await ended()
})

test('A probe never waits', async () => {
  const { done, ended } = await crowd(() => 'attacker')
  let waits: unknown = 'not run'
  runAsProbe(() => {
    waits = turn()
  })
  expect(waits).toBeUndefined()
  expect(done.length).toBeLessThan(100)
  await ended()
})

test('While connections are accepted, work waits for 10 ms at most', async () => {
  const { done, before, ended } = await crowd(() => 'visitor')
  let waited = 0
  for (; done.length === before && waited < 100; waited++) {
    connected()
    vi.advanceTimersByTime(1)
    await nextTurn()
  }
  expect(waited).toBeGreaterThan(5)
  expect(waited).toBeLessThan(15)
  await ended()
})
