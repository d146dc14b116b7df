import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Note, NoteSummary } from '#contract/notes.ts'
import type { Needs } from '../needs.ts'
import { testNeeds } from '../testing/test-needs.ts'
import { createTextFetcher } from './fetched-texts.ts'
import { createConnection } from './page-connection.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => void vi.useRealTimers())

const summaries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ _id: `note ${index}`, version: 1 }) as NoteSummary)

/** A device that two tabs share, which lacks the texts of this many notes. */
function deviceWithout(count: number) {
  const kept = new Set<string>()
  const device = {
    isFull: false,
    kept,
    missing: async () => summaries(count).filter(({ _id }) => !kept.has(_id)),
    async keep(notes: readonly Note[]) {
      if (device.isFull) throw new DOMException('', 'QuotaExceededError')
      for (const { _id } of notes) kept.add(_id)
    },
  }
  return device
}

/** The ids of the notes that were asked for, and the signals of the calls. */
function server(answer: (id: string, signal: AbortSignal) => Promise<void> = async () => {}) {
  const asked: string[] = []
  const fetch = async (url: string, { signal }: { signal: AbortSignal }) => {
    const id = decodeURIComponent(new URL(url, 'http://localhost').pathname.split('/').at(-1) ?? '')
    asked.push(id)
    await answer(id, signal)
    return Response.json({ note: { _id: id, text: 'text' } })
  }
  return { asked, needs: testNeeds({ fetch, locks: navigator.locks }) }
}

function openTab(device: ReturnType<typeof deviceWithout>, needs: Needs) {
  const left = new AbortController()
  onTestFinished(() => left.abort())
  return createTextFetcher(device, { needs, connection: createConnection(needs) }, left.signal)
}

test('When the storage is full, no more texts are fetched until the next visit', async () => {
  const device = deviceWithout(25)
  const { asked, needs } = server()
  const fetchTexts = openTab(device, needs)
  device.isFull = true
  const first = fetchTexts().catch(({ name }) => name)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked.length).toBe(10)
  expect(await first).toBe('QuotaExceededError')
  device.isFull = false
  await fetchTexts()
  expect(asked.length).toBe(10)
  // The next visit.
  const again = openTab(device, needs)()
  await vi.advanceTimersByTimeAsync(60_000)
  await again
  expect(device.kept.size).toBe(25)
})

test('Two tabs fetch each text once', async () => {
  const device = deviceWithout(25)
  const { asked, needs } = server()
  const tabs = [openTab(device, needs), openTab(device, needs)].map((fetchTexts) => fetchTexts())
  await vi.advanceTimersByTimeAsync(60_000)
  await Promise.all(tabs)
  expect(device.kept.size).toBe(25)
  expect(asked.length).toBe(25)
})

test('A press ends the call for a text, and none begins within two seconds of it', async () => {
  const device = deviceWithout(1)
  const signals: AbortSignal[] = []
  const { asked, needs } = server((_, signal) => {
    signals.push(signal)
    if (signals.length > 1) return Promise.resolve()
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  })
  const fetching = openTab(device, needs)()
  await vi.advanceTimersByTimeAsync(5000)
  expect(asked.length).toBe(1)
  needs.tell('use')
  expect(signals[0]?.aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(2000)
  expect(asked.length).toBe(1)
  await vi.advanceTimersByTimeAsync(5000)
  await fetching
  expect([...device.kept]).toEqual(['note 0'])
})
