import { setTimeout as delay } from 'node:timers/promises'
import { fitting } from '../changes/fitting-rows.ts'

/** What is read and made in one piece: about two milliseconds. */
const page = { rows: 200, bytes: 256 * 1024 }

export const rowsPerPage = page.rows

/** How many times as long as a piece the export pauses after it, so that the calls of others find the event loop free. */
const pausesPerPiece = 3

/** In milliseconds. A piece that waited for others took longer than its work. */
const longestPause = 50

/** The rows of one table and owner in the order of a key. */
export type Rows<Key, Row> = {
  first: Key
  /** Returns the next keys, as many as `rowsPerPage`, and the bytes of their rows, `undefined` for a row that is not wanted. */
  keys(after: Key): Promise<{ key: Key; bytes: number | undefined }[]>
  read(keys: Key[]): Promise<Row[]>
}

/** Runs queries until they are no longer wanted. */
export type Reader = { run<T>(query: () => Promise<T>): Promise<T>; ended(): Promise<unknown> }

/** Returns a reader that rejects each query after the signal. `ended`: when the query that was running has ended. */
export function readUntil(signal: AbortSignal): Reader {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(query) {
      if (signal.aborted) return Promise.reject(signal.reason)
      const result = query()
      last = result.catch(() => {})
      return result
    },
    ended: () => last,
  }
}

export async function* pagesOf<Key, Row, Made>(
  reader: Reader,
  { first, keys, read }: Rows<Key, Row>,
  make: (rows: Row[]) => Made,
): AsyncGenerator<Made> {
  for (let after = first; ; ) {
    const found = await inPiece(() => reader.run(() => keys(after)))
    let left = found.flatMap(({ key, bytes }) => (bytes === undefined ? [] : [{ key, bytes }]))
    while (left.length > 0) {
      const part = fitting(left, page.bytes)
      left = left.slice(part.length)
      yield await inPiece(async () => make(await reader.run(() => read(part.map(({ key }) => key)))))
    }
    const last = found.at(-1)
    if (!last || found.length < rowsPerPage) return
    after = last.key
  }
}

async function inPiece<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  await delay(Math.min(longestPause, pausesPerPiece * (performance.now() - began)))
  return result
}
