import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { isLoopback } from '../http/network.ts'
import { type Groups, runAs } from '../turns/turns.ts'

/** Node parses this much in some milliseconds at most, for example a body in chunks of one byte. */
const partBytes = 16 * 1024

/** Node parses a head of this size in microseconds. */
const shortBytes = 4 * 1024

/**
 * Node parses this much of a head that is not complete, and its time limit begins. It makes strings of all headers, which take
 * five times the memory of their bytes, so the rest of a head waits as bytes, which count for the network of the connection.
 */
const startOfHead = 1024

/** A connection with this much unparsed data is not read. Node then buffers about as much again. */
const mostBytes = 64 * 1024

const endOfHead = Buffer.from('\r\n\r\n')

/** The request that began last on a connection. Its body may still come when its response has been sent. */
export type Exchange = {
  request: Pick<IncomingMessage, 'complete' | 'readableFlowing'>
  isAnswered: boolean
}

type Options = {
  groups: Groups
  last(): Exchange | undefined
  /** Called with the bytes that begin to wait, and with 0 when none waits any longer. */
  waits(bytes: number): void
}

/** Whether strangers connect to the server itself. Otherwise Node's parser alone is faster. */
export const parsesInTurns = ({ host, trustedProxies }: Config) =>
  trustedProxies.length === 0 && !isLoopback(host)

/**
 * Passes the data of a connection to Node's parser in parts. Each part takes its turn. Node alone would parse everything that
 * it has read from all connections in one turn of the event loop, and the 64 KiB of one connection can hold thousands of
 * requests or of chunks of a body. A request is parsed when the response to the request before it has been sent, and a body
 * when it is read.
 *
 * Returns the function that is called when the last request or its state has changed. The parsing continues in a later turn
 * of the event loop, so that other connections are served in between.
 */
export function parseInTurns(socket: Socket, { groups, last, waits }: Options): () => void {
  const [parse] = socket.listeners('data') as [(data: Buffer) => void]
  let data: Buffer | undefined
  let [isWaiting, isHeld] = [false, false]
  /** How many bytes of a head that is not complete were parsed. */
  let parsedOfHead = 0

  /** Whether the body of the last request is not read yet, or its response has not been sent. */
  function isBusy() {
    const exchange = last()
    if (!exchange || exchange.isAnswered) return false
    return exchange.request.complete || exchange.request.readableFlowing !== true
  }

  function parsePart() {
    isWaiting = false
    // After an error, the connection has ended and its data is dropped.
    if (!data || !socket.writable) return drop()
    const before = last()
    const isBody = before !== undefined && !before.request.complete
    const whole = isBody ? partBytes : lengthOfHead(data)
    const length = whole ?? beginningOfHead(data, startOfHead - parsedOfHead)
    // The rest of the head has not been received.
    if (length === 0) return
    const part = data.subarray(0, length)
    data = length < data.length ? data.subarray(length) : undefined
    parse(part)
    parsedOfHead = whole !== undefined || last() !== before ? 0 : parsedOfHead + length
    next()
  }

  function next() {
    if (isWaiting) return
    if (!data) return drop()
    if (isBusy()) return
    isWaiting = true
    runAs(groups, parsePart)
  }

  function drop() {
    data = undefined
    if (!isHeld) return
    isHeld = false
    waits(0)
    if (socket.isPaused()) socket.resume()
  }

  socket.removeListener('data', parse)
  socket.on('data', (received: Buffer) => {
    // A short request without a body, as nearly all are. It takes its turn when it has been parsed.
    const isShort = received.length <= shortBytes && lengthOfHead(received) === received.length
    if (isShort && !data && last()?.isAnswered !== false && socket.writable) {
      parsedOfHead = 0
      return parse(received)
    }
    data = data ? Buffer.concat([data, received]) : received
    next()
    if (!data) return
    isHeld = true
    waits(received.length)
    if (data.length >= mostBytes) socket.pause()
  })
  return () => {
    if (data) setImmediate(next)
    else drop()
  }
}

/**
 * Returns the length of the first head in the data, so that a request is parsed only when the request before it is done.
 * Returns undefined if the head is not complete. Node rejects a head that is longer than a part.
 */
function lengthOfHead(data: Buffer) {
  const end = data.indexOf(endOfHead)
  if (end >= 0) return Math.min(end + endOfHead.length, partBytes)
  return data.length < partBytes ? undefined : partBytes
}

/** The length of the data, or at most `room`, without what may be the first bytes of the head's end. */
function beginningOfHead(data: Buffer, room: number) {
  const beginning = data.subarray(0, room)
  const cut = [3, 2, 1].find((bytes) => beginning.subarray(-bytes).equals(endOfHead.subarray(0, bytes))) ?? 0
  return beginning.length - cut
}
