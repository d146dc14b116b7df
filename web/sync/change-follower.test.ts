import { expect, test, vi } from 'vitest'
import type { Delta } from '#contract/changes.ts'
import { createChangeFollower } from './change-follower.ts'

const at = (seq: number, head = 'a') => `${seq}.${head}`

/** A follower whose calls the test answers, in order. */
function follow() {
  const follower = createChangeFollower()
  const asked: { since: string; answer: (delta: Delta) => Promise<void>; fail: () => Promise<void> }[] = []
  const shown: Delta[] = []
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  const begin = vi.fn()
  const reload = vi.fn(async () => {})
  const stop = follower.start({
    begin,
    reload,
    show: (delta) => void shown.push(delta),
    fetch(since) {
      const { promise, resolve, reject } = Promise.withResolvers<Delta>()
      asked.push({
        since,
        answer(delta) {
          resolve(delta)
          return settled()
        },
        fail() {
          reject(new Error('gone'))
          return settled()
        },
      })
      return promise
    },
  })
  const upTo = (seq: number, more = false): Delta => ({ tasks: [], purged: [], cursor: at(seq), more })
  /** Starts a write and returns the function that ends it. */
  const write = () => {
    const { promise, resolve } = Promise.withResolvers<{ cursor: string }>()
    const written = follower.write(() => promise)
    return async (seq: number) => {
      resolve({ cursor: at(seq) })
      await written
    }
  }
  return {
    follower,
    asked,
    shown,
    begin,
    reload,
    stop,
    upTo,
    write,
    since: () => asked.map(({ since }) => since),
  }
}

test('nothing is asked before a list has arrived', () => {
  const { follower, begin, since } = follow()
  follower.announced(at(3), false)
  follower.refresh()
  expect([begin.mock.calls.length, since()]).toEqual([0, []])
  follower.listed(at(3))
  expect([begin.mock.calls.length, since()]).toEqual([1, []])
})

test('a newer cursor is a reason to ask, one that is known is not', () => {
  const { follower, since } = follow()
  follower.listed(at(3))
  for (const seq of [3, 2]) follower.announced(at(seq), false)
  expect(since()).toEqual([])
  follower.announced(at(4), false)
  expect(since()).toEqual([at(3)])
})

test('all pages are asked for, and what is announced meanwhile', async () => {
  const { follower, asked, shown, upTo, since } = follow()
  follower.listed(at(3))
  follower.announced(at(5), false)
  await asked[0]?.answer(upTo(4, true))
  follower.announced(at(6), false)
  await asked[1]?.answer(upTo(5))
  await asked[2]?.answer(upTo(6))
  expect(since()).toEqual([at(3), at(4), at(5)])
  expect([shown.length, follower.held]).toEqual([3, at(6)])
})

test('own changes are passed over, also if the stream announces them first or they end in another order', async () => {
  const { follower, write, since } = follow()
  follower.listed(at(3))
  const [first, second] = [write(), write()]
  follower.announced(at(5), false)
  await second(5)
  await first(4)
  follower.announced(at(5), false)
  expect([since(), follower.held]).toEqual([[], at(5)])
})

test('the change of another device is asked for after an own write that changed nothing', async () => {
  const { follower, since } = follow()
  follower.listed(at(3))
  // The item was changed last by change 2; change 4 is of another item.
  await follower.writeItem(
    async () => ({ cursor: at(4) }),
    () => ({ version: 2 }),
  )
  expect(since()).toEqual([at(3)])
})

test('an own write of one item is passed over', async () => {
  const { follower, since } = follow()
  follower.listed(at(3))
  await follower.writeItem(
    async () => ({ cursor: at(4) }),
    () => ({ version: 4 }),
  )
  expect([since(), follower.held]).toEqual([[], at(4)])
})

test('what lies between is asked for, once the own write has ended', async () => {
  const { follower, asked, upTo, write, since } = follow()
  follower.listed(at(3))
  const end = write()
  await end(5)
  expect(since()).toEqual([at(3)])
  await asked[0]?.answer(upTo(5))
  expect([since().length, follower.held]).toEqual([1, at(5)])
})

test('a response that may be older than an own write is followed by another one', async () => {
  const { follower, asked, upTo, write, since } = follow()
  follower.listed(at(3))
  follower.announced(at(4), false)
  await write()(5)
  await asked[0]?.answer(upTo(4))
  expect(since()).toEqual([at(3), at(4)])
})

test('after an older list what it lacks is asked for', async () => {
  const { follower, asked, upTo, since } = follow()
  follower.listed(at(5))
  follower.listed(at(4))
  expect(since()).toEqual([at(4)])
  follower.listed(at(3))
  await asked[0]?.answer(upTo(5))
  expect(since()).toEqual([at(4), at(3)])
})

test('after a reset the lists are loaded again, and a restored log is noticed at a new connection', async () => {
  const { follower, asked, reload } = follow()
  follower.listed(at(5))
  follower.announced(at(2, 'b'), true)
  await asked[0]?.answer({ reset: true })
  expect([reload.mock.calls.length, follower.held]).toEqual([1, undefined])
})

test('if that fails, the next reason to ask leads to another reset', async () => {
  const { follower, asked, reload, since } = follow()
  follower.listed(at(5))
  reload.mockRejectedValueOnce(new Error('unreachable'))
  follower.announced(at(6, 'b'), false)
  await asked[0]?.answer({ reset: true })
  follower.announced(at(7, 'b'), false)
  expect(since()).toEqual([at(5), at(5)])
})

test('a server that lags behind an announcement is not asked in a loop, and a failure ends nothing', async () => {
  const { follower, asked, upTo, since } = follow()
  follower.listed(at(3))
  follower.announced(at(5), false)
  await asked[0]?.answer(upTo(4))
  expect(since().length).toBe(1)
  follower.announced(at(6), false)
  await asked[1]?.fail()
  follower.announced(at(7), false)
  expect(since()).toEqual([at(3), at(4), at(4)])
})

test('after the end nothing is shown', async () => {
  const { follower, asked, shown, stop, upTo } = follow()
  follower.listed(at(3))
  follower.announced(at(4), false)
  stop()
  await asked[0]?.answer(upTo(4))
  expect(shown).toEqual([])
})

test('a write of several changes is passed over as a whole, and what others change after it is asked for', async () => {
  const { follower, since } = follow()
  follower.listed(at(3))
  const { promise, resolve } = Promise.withResolvers<{ cursor: string }>()
  const written = follower.write(
    () => promise,
    () => 5,
  )
  // The stream may be faster than the response.
  follower.announced(at(8), false)
  resolve({ cursor: at(8) })
  await written
  expect([follower.held, since()]).toEqual([at(8), []])
  follower.announced(at(9), false)
  expect(since()).toEqual([at(8)])
})

test('a change of another device before a write of several changes is asked for', async () => {
  const { follower, asked, upTo, since } = follow()
  follower.listed(at(3))
  await follower.write(
    async () => ({ cursor: at(9) }),
    () => 5,
  )
  expect([follower.held, since()]).toEqual([at(3), [at(3)]])
  await asked[0]?.answer(upTo(9))
  expect(follower.held).toBe(at(9))
})
