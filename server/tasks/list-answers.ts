import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { TaskPage } from '#contract/tasks.ts'

/** An upper bound in bytes for what an entry uses besides its key and its response. */
const entryBytes = 512

/** Longer responses are cached as bytes: encoding a text each time costs more than the second write that bytes need. */
const longText = 16 * 1024

/**
 * Caches list responses as they were sent, so that an unchanged list costs only the authentication query. Each is cached
 * under the version of the owner's tasks, which that query reads from the database: a change by any server creates a new
 * version, and nothing asks for the old one again. Together they use at most `maxSize` bytes.
 */
export function keepListAnswers(maxSize: number) {
  const kept = new LRUCache<string, string | Buffer>({
    maxSize,
    sizeCalculation: (response, key) => entryBytes + bytesHeld(response) + key.length,
  })

  /** Sends the response cached under the key, or makes, caches and sends it. The response schema has serialized it. */
  return async function answer(reply: FastifyReply, key: string, make: () => Promise<TaskPage>) {
    let response = kept.get(key)
    if (response === undefined) {
      const text = reply.serialize(await make()) as string
      response = text.length > longText ? Buffer.from(text) : text
      kept.set(key, response)
    }
    return reply.type('application/json; charset=utf-8').send(response)
  }
}

/** The bytes that V8 uses for a response, at most: for a text two per UTF-16 unit unless it is ASCII. */
function bytesHeld(response: string | Buffer): number {
  const bytes = Buffer.byteLength(response)
  return bytes === response.length ? bytes : 2 * response.length
}
