import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { cursorHeader } from '../changes/change-log.ts'

/** An upper bound in bytes for the memory of an entry besides its key and its response. */
const entryBytes = 512

/** Longer responses are cached as bytes: encoding a text each time costs more than the second write that bytes need. */
const longText = 16 * 1024

/** A response as JSON, and the cursor of the newest change that it shows; undefined if it must not be cached. */
type ListAnswer = { json: string; newest: string | undefined }

/**
 * Caches list responses as they were sent, so that an unchanged list costs only the authentication query. A response is
 * found under the cursor of the newest change that this query reads from the database, and cached under the cursor that
 * was read in the same statement as its tasks. After a change by any server, nothing asks for the old response again. All
 * responses together use at most `maxSize` bytes.
 */
export function keepListAnswers(maxSize: number) {
  const kept = new LRUCache<string, string | Buffer>({
    maxSize,
    sizeCalculation: (response, key) => entryBytes + bytesHeld(response) + key.length,
  })

  return async function answer(
    reply: FastifyReply,
    request: string,
    newest: string,
    make: () => Promise<ListAnswer>,
  ) {
    let cursor: string | undefined = newest
    let response = kept.get(keyOf(request, newest))
    if (response === undefined) {
      const fresh = await make()
      cursor = fresh.newest
      response = fresh.json.length > longText ? Buffer.from(fresh.json) : fresh.json
      if (cursor !== undefined) kept.set(keyOf(request, cursor), response)
    }
    if (cursor !== undefined) reply.header(cursorHeader, cursor)
    return reply.type('application/json; charset=utf-8').send(response)
  }
}

const keyOf = (request: string, cursor: string) => `${cursor} ${request}`

/**
 * Returns the most bytes that V8 uses for a response. A text uses one byte per character if it is ASCII, and otherwise two per
 * UTF-16 unit.
 */
function bytesHeld(response: string | Buffer): number {
  const bytes = Buffer.byteLength(response)
  return bytes === response.length ? bytes : 2 * response.length
}
