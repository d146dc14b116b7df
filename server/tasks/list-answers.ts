import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { TaskPage } from '#contract/tasks.ts'

/** Bytes that all kept answers may take together. */
export const keptBytes = 32 * 1024 * 1024

/** Bytes that an entry takes beside its two strings, and more than that. */
const entryBytes = 512

/**
 * List answers as they were sent, so that asking again for what has not changed costs no more than the look-up of the
 * token. Each is kept under the version of the owner's tasks that the same look-up read from the database: a change
 * made by any server brings a version never seen before, and what is kept under the old one is not asked for again.
 */
export function keepListAnswers() {
  const kept = new LRUCache<string, string>({
    maxSize: keptBytes,
    sizeCalculation: (answer, key) => entryBytes + bytesHeld(answer) + key.length,
  })

  /** Sends the answer kept under the key, or makes, keeps and sends it; what leaves has always passed the response schema. */
  return async function answer(reply: FastifyReply, key: string, make: () => Promise<TaskPage>) {
    let text = kept.get(key)
    if (text === undefined) {
      text = reply.serialize(await make()) as string
      kept.set(key, text)
    }
    return reply.type('application/json; charset=utf-8').send(text)
  }
}

/** Bytes that V8 holds a text in, at most: two for each UTF-16 unit unless it is ASCII. */
function bytesHeld(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length
}
