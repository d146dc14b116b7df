import { beforeEach, expect, test, vi } from 'vitest'
import { runAs } from '../turns/turns.ts'
import type { Db } from './schema.ts'
import { type Batch, runInOrder, writeQueue } from './write-queue.ts'

const options = { maxBatchSize: 4, maxBatchTime: 25, maxWaiting: 100 }

let now = 0
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})

/** A queue, and the numbers of writes of its transactions, which this much time precedes. */
function recordingQueue(wait = 0, begin = (_batch: Batch) => {}) {
  const sizes: number[] = []
  const commit = async (batch: Batch) => {
    now += wait
    begin(batch)
    const outcomes = await runInOrder(batch, {} as Db)
    sizes.push(outcomes.length)
    return outcomes
  }
  return { write: writeQueue({ ...options, commit }), sizes }
}

/** Queues one write of each of twelve accounts. Returns their outcomes. */
function writeAs(write: ReturnType<typeof writeQueue>): Promise<PromiseSettledResult<unknown>[]> {
  const writes = Array.from({ length: 12 }, (_, account) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    runAs(['clients', `account ${account}`], () => resolve(write(async () => account)))
    return promise
  })
  return Promise.allSettled(writes)
}

test('Writes of several accounts share a transaction that had to wait for its beginning', async () => {
  const { write, sizes } = recordingQueue(1000)
  expect(await writeAs(write)).toMatchObject(Array(12).fill({ status: 'fulfilled' }))
  expect(sizes).toEqual([4, 4, 4])
})

test('When a transaction cannot begin, all writes that it would have had fail, and none waits for another try', async () => {
  let tries = 0
  const commit = async () => {
    now += 4000
    tries++
    throw new Error('the file is locked')
  }
  const results = await writeAs(writeQueue({ ...options, commit }))
  expect(results).toMatchObject(Array(12).fill({ status: 'rejected' }))
  expect(tries).toBe(3)
})

test('A transaction of a single account ends too after the longest time, so that its commit does not take long', async () => {
  const { write, sizes } = recordingQueue()
  await Promise.all(Array.from({ length: 4 }, () => write(async () => (now += 15))))
  expect(sizes).toEqual([2, 2])
})

test('An account whose writes fail waits for others after as much time as one whose writes succeed', async () => {
  const commit = (batch: Batch) =>
    runInOrder(batch, {} as Db).catch(() =>
      batch.works.map((): PromiseRejectedResult => ({ status: 'rejected', reason: 'failed' })),
    )
  const write = writeQueue({ ...options, commit })
  const ended: string[] = []
  const writes: Promise<unknown>[] = []
  const queue = (account: string, work: () => Promise<unknown>) =>
    runAs(['clients', account], () => {
      const ending = write(work).catch(() => {})
      writes.push(ending.then(() => ended.push(account)))
    })
  for (let count = 0; count < 10; count++)
    queue('failing', () => {
      now += 15
      throw new Error('failed')
    })
  queue('other', async () => {})
  await expect.poll(() => writes.length).toBe(11)
  await Promise.all(writes)
  expect(ended.indexOf('other')).toBe(1)
})

test('A write of many changes is the last one of its transaction, so that few large results are in memory at a time', async () => {
  // As on PostgreSQL: all are taken before the first one begins.
  const { write, sizes } = recordingQueue(0, (batch) => {
    while (batch.next());
  })
  await Promise.all([1, 1, 40, 40, 3, 1, 1].map((changes) => write(async () => {}, changes)))
  expect(sizes).toEqual([3, 1, 2, 1])
})
