import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { readStream } from './follow-changes.ts'
import { testNeeds } from './testing/test-needs.ts'

const html = { 'content-type': 'text/html' }

afterEach(() => void vi.useRealTimers())

/** Reads the stream, whose calls are answered by their number. `opened`: when they were made. */
function readFrom(answer: (call: number, signal?: AbortSignal | null) => Response, onEvent = () => {}) {
  vi.useFakeTimers()
  const opened: number[] = []
  const fetch = async (_: string, { signal }: RequestInit) => answer(opened.push(Date.now()), signal)
  const [needs, leaving] = [testNeeds({ fetch }), new AbortController()]
  onTestFinished(() => leaving.abort())
  readStream(needs, onEvent, leaving.signal)
  return { opened, needs }
}

test('When a server stops, the streams of its pages return within two seconds of each other, also after a rejection', async () => {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined
  const onEvent = vi.fn()
  const { opened } = readFrom((call) => {
    if (call === 2) return new Response('', { status: 502 })
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        body = controller
        controller.enqueue(new TextEncoder().encode(`data: ${call}.a\n\n`))
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }, onEvent)
  await vi.waitFor(() => expect(onEvent).toHaveBeenCalledWith('1.a'), { timeout: 60_000 })
  for (let passed = 0; passed < 4; passed++) {
    await vi.advanceTimersByTimeAsync(20_000)
    body?.enqueue(new TextEncoder().encode(':\n\n'))
  }
  const ended = Date.now()
  body?.close()
  await vi.advanceTimersByTimeAsync(12_000)
  const [, first = 0, second = 0] = opened.map((at) => at - ended)
  expect(first).toBeGreaterThanOrEqual(2000)
  expect(first).toBeLessThanOrEqual(4000)
  expect(second - first).toBeGreaterThanOrEqual(4000)
  expect(second - first).toBeLessThanOrEqual(8000)
  expect(onEvent).toHaveBeenLastCalledWith('3.a')
})

test.each([
  ['a proxy’s page with 403', () => new Response('<h1>Forbidden</h1>', { status: 403, headers: html })],
  ['a proxy’s page with 401', () => new Response('<h1>Log in</h1>', { status: 401, headers: html })],
  ['a 403 without a code', () => new Response('', { status: 403 })],
  ['the page of a portal', () => new Response('<h1>Welcome</h1>', { headers: html })],
  ['a 404', () => new Response('', { status: 404 })],
  ['a 412', () => Response.json({ code: 'page-outdated' }, { status: 412 })],
  ['a narrow scope', () => Response.json({ code: 'scope-too-narrow' }, { status: 403 })],
] as const)('After %s the stream is asked for again, slower each time, or by a look', async (_, answer) => {
  const { opened, needs } = readFrom(answer)
  await vi.advanceTimersByTimeAsync(600_000)
  const waits = opened.slice(1).map((at, index) => at - (opened[index] ?? 0))
  expect(waits.length).toBeGreaterThanOrEqual(10)
  expect(Math.max(...waits)).toBeLessThanOrEqual(60_000)
  expect(Math.min(...waits.slice(5))).toBeGreaterThanOrEqual(30_000)
  const before = opened.length
  needs.tell('shown')
  await vi.advanceTimersByTimeAsync(0)
  expect(opened.length).toBe(before + 1)
  expect(needs.isOver()).toBe(false)
})

test('After many changes of network the stream is open again within two seconds', async () => {
  const { opened, needs } = readFrom((_, signal) => {
    const { readable, writable } = new TransformStream()
    signal?.addEventListener('abort', () => writable.abort())
    return new Response(readable, { headers: { 'content-type': 'text/event-stream' } })
  })
  for (let changes = 0; changes < 8; changes++) {
    await vi.advanceTimersByTimeAsync(5000)
    needs.tell('online')
  }
  const last = Date.now()
  await vi.advanceTimersByTimeAsync(2000)
  expect(opened.at(-1)).toBeGreaterThan(last)
})
