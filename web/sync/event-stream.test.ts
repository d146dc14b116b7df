import { afterEach, expect, test, vi } from 'vitest'
import { readStream } from './event-stream.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('When a server stops, the streams of its pages return within two seconds of each other, also after a rejection', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', new EventTarget())
  let body: ReadableStreamDefaultController<Uint8Array> | undefined
  const opened: number[] = []
  vi.stubGlobal('fetch', async () => {
    opened.push(Date.now())
    if (opened.length === 2) return new Response('', { status: 502 })
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        body = controller
        controller.enqueue(new TextEncoder().encode(`data: ${opened.length}.a\n\n`))
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  })
  const leaving = new AbortController()
  const onCursor = vi.fn()
  readStream({ onCursor, onHeartbeat() {} }, leaving.signal)
  await vi.waitFor(() => expect(onCursor).toHaveBeenCalledWith('1.a'), { timeout: 60_000 })
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
  expect(onCursor).toHaveBeenLastCalledWith('3.a')
  leaving.abort()
})
