import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { portOf } from './raw-client.ts'

/** Opens the stream of a user's cursors at an app or an origin, and waits for the response's headers. */
export async function openStream(target: FastifyInstance | string, token: string) {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const { status, headers, body } = await fetch(
    `http://127.0.0.1:${portOf(target)}${apiBase}/changes/stream`,
    {
      headers: { authorization: `Bearer ${token}` },
      signal: controller.signal,
    },
  )
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''

  return {
    status,
    headers,
    /** Waits for the next event and returns its cursor; undefined if the stream has ended. */
    async next(): Promise<string | undefined> {
      for (;;) {
        const event = /data: (.*)\n\n/.exec(received)
        if (event) {
          received = received.slice(event.index + event[0].length)
          return event[1]
        }
        const chunk = await reader?.read()
        if (!chunk || chunk.done) return undefined
        received += chunk.value
      }
    },
    /** Waits until an event has this cursor, or the stream has ended. Returns the cursors of the events, in order. */
    async until(cursor: string): Promise<(string | undefined)[]> {
      const events = [await this.next()]
      while (events.at(-1) !== undefined && events.at(-1) !== cursor) events.push(await this.next())
      return events
    },
    abort: () => controller.abort(),
  }
}
