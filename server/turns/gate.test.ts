import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGate } from './gate.ts'

/** A queue whose work the test completes, and the order in which the work started. */
function controlledQueue(max: Parameters<typeof createGate>[0]) {
  const { inTurn } = createGate(max, () => new Error('too much waits'))
  const started: string[] = []
  const endings: (() => void)[] = []
  const outcomes: string[] = []
  return {
    started,
    outcomes,
    add(name: string, groups: readonly string[] = [name]) {
      const work = () => {
        started.push(name)
        return new Promise<void>((resolve) => endings.push(resolve))
      }
      inTurn(groups, work).then(
        () => outcomes.push(`${name} done`),
        () => outcomes.push(`${name} rejected`),
      )
    },
    /** Completes all work until the queue is empty. */
    async drain() {
      await settled()
      while (endings.length > 0) {
        for (const end of endings.splice(0)) end()
        await settled()
      }
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a single entry waits for at most one turn of each other group, regardless of their number of entries', async () => {
  const queue = controlledQueue({ running: 1, waiting: 100 })
  for (const name of 'aaaaaaaabbbbbbbb') queue.add(name)
  queue.add('c')
  await queue.drain()
  expect(queue.started.join('')).toBe(`abc${'ab'.repeat(7)}`)
  expect(queue.started.indexOf('c')).toBeLessThanOrEqual(3)
})

test('what is reserved begins only for a site of which nothing runs', async () => {
  const queue = controlledQueue({ running: 4, reserved: 2, waiting: 100 })
  for (const name of ['a1', 'a2', 'a3']) queue.add(name, ['clients', 'a'])
  for (const name of ['b1', 'b2', 'c1', 'd1']) queue.add(name, ['clients', name.charAt(0)])
  await settled()
  expect(queue.started).toEqual(['a1', 'a2', 'b1', 'c1'])
  await queue.drain()
  expect(queue.started).toHaveLength(7)
})

test('when the queue is full, the newest entry of the largest account of the largest network is rejected', async () => {
  const queue = controlledQueue({ running: 1, waiting: 5 })
  for (const name of ['a0', 'a1', 'b1', 'b1', 'a2', 'a2', 'a1']) queue.add(name, [name.charAt(0), name])
  await queue.drain()
  const done = ['a0', 'a1', 'a1', 'a2', 'b1', 'b1'].map((name) => `${name} done`)
  expect(queue.outcomes.sort()).toEqual([...done, 'a2 rejected'].sort())
})

test('work that throws rejects with its error, and the next one starts', async () => {
  const { inTurn } = createGate({ running: 1, waiting: 1 }, () => new Error('too much waits'))
  const failing = inTurn(['a'], () => Promise.reject(new Error('broken')))
  const next = inTurn(['a'], async () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

test('work that has waited too long is rejected and takes no place of the work behind it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const queue = controlledQueue({ running: 1, waiting: 100, longestWait: 1000 })
  for (const name of ['running', 'late']) queue.add(name)
  await vi.advanceTimersByTimeAsync(1000)
  expect(queue.outcomes).toEqual(['late rejected'])
  queue.add('next')
  await queue.drain()
  queue.add('last')
  await queue.drain()
  expect(queue.started).toEqual(['running', 'next', 'last'])
  expect(queue.outcomes).toEqual(['late rejected', 'running done', 'next done', 'last done'])
})

test('all work is completed or rejected in any order of arrival, and only the largest groups are rejected', async () => {
  const arrivals = array(constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })
  await assert(
    asyncProperty(arrivals, async (names) => {
      const queue = controlledQueue({ running: 2, waiting: 6 })
      names.forEach((name, i) => {
        queue.add(`${name}${i}`, [name])
      })
      await queue.drain()
      expect(queue.outcomes).toHaveLength(names.length)
      const rejected = (name: string) =>
        queue.outcomes.filter((o) => o.startsWith(name) && o.endsWith('rejected')).length
      const given = (name: string) => names.filter((each) => each === name).length
      // A group within its share is never rejected.
      for (const name of ['a', 'b', 'c', 'd']) if (given(name) <= 1) expect(rejected(name)).toBe(0)
    }),
    { numRuns: 200 },
  )
})
