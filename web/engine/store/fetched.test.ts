import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAllFetched } from './fetched.ts'

type Call = PromiseWithResolvers<{ next?: number }> & { after: unknown; signal: AbortSignal | undefined }

let calls: Call[]
let all: ReturnType<typeof createAllFetched>
const answered = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  answered.mockClear()
  calls = []
  all = createAllFetched()
  all.onAnswer(answered)
})
afterEach(() => vi.useRealTimers())

const list = () =>
  all.of<{ next?: number }>('today', (after, signal) => {
    const call = { ...Promise.withResolvers<{ next?: number }>(), after, signal }
    calls.push(call)
    return call.promise
  })

async function answer(page: { next?: number } | Error) {
  if (page instanceof Error) calls.at(-1)?.reject(page)
  else calls.at(-1)?.resolve(page)
  await vi.advanceTimersByTimeAsync(0)
}

test('A list is being fetched from its first rendering on, and each opening tells its answer', async () => {
  expect(list().getState()).toEqual({ pages: [], fetching: 'first', failure: undefined })
  const leave = list().open()
  await answer({ next: 1 })
  expect(list().getState()).toEqual({ pages: [{ next: 1 }], fetching: undefined, failure: undefined })
  leave()
  expect(list().getState().fetching).toBe('first')
  list().open()
  const error = new Error('unreachable')
  await answer(error)
  expect(list().getState()).toEqual({
    ...{ pages: [{ next: 1 }], fetching: undefined },
    failure: { which: 'first', error },
  })
  expect(answered.mock.calls).toEqual(Array(2).fill(['today', false]))
})

test('Leaving a list aborts its call, whose answer is ignored, and keeps the first page', async () => {
  const leave = list().open()
  await answer({ next: 1 })
  list().fetchNext()
  await answer({ next: 2 })
  expect(list().getState().pages).toEqual([{ next: 1 }, { next: 2 }])
  list().fetchNext()
  leave()
  expect(calls.map(({ after }) => after)).toEqual([undefined, { next: 1 }, { next: 2 }])
  expect(calls.map(({ signal }) => signal?.aborted)).toEqual([false, false, true])
  await answer({ next: 3 })
  expect(list().getState()).toEqual({ pages: [{ next: 1 }], fetching: 'first', failure: undefined })
})

test('A press fetches a note once, and its answer counts for an opening within a second', async () => {
  list().prefetch()
  const leave = list().open(1000)
  await answer({})
  leave()
  vi.advanceTimersByTime(999)
  list().open(1000)()
  expect(calls.length).toBe(1)
  vi.advanceTimersByTime(1)
  list().open(1000)
  expect(calls.length).toBe(2)
})

test('A reload replaces all pages and is told as one, and its failure changes nothing', async () => {
  list().open()
  await answer({ next: 1 })
  list().fetchNext()
  await answer({ next: 2 })
  const before = list().getState()
  const failed = expect(list().reload()).rejects.toThrow('unreachable')
  await answer(new Error('unreachable'))
  await failed
  expect(list().getState()).toBe(before)
  list().reload()
  await answer({ next: 5 })
  expect(list().getState().pages).toEqual([{ next: 5 }])
  expect(answered.mock.calls.at(-1)).toEqual(['today', true])
})

test('What is fetched again has as many pages as before', async () => {
  list().open()
  await answer({ next: 1 })
  list().fetchNext()
  await answer({ next: 2 })
  list().refetch()
  await answer({ next: 3 })
  await answer({})
  expect(list().getState().pages).toEqual([{ next: 3 }, {}])
})
