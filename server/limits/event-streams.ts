import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'
import { networkOf } from '../http/network.ts'
import { FairShare } from './fair-share.ts'
import type { LoadLimits } from './load-limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The response is an event stream without an end. It is limited here, so it is not a request in progress: it takes no
     * slot, and its duration is neither measured nor logged.
     */
    isStream?: boolean
  }
}

/** An open response of server-sent events. */
export type EventStream = {
  /** Sends an event. If the previous one has not been written yet, only the newest event waits. */
  send(data: string): void
  end(): void
}

/** Proxies close connections without data, often after 60 seconds. */
const heartbeatEvery = 15_000

const heartbeat = ':\n\n'

/**
 * Limits the open event streams. Networks share them as they share slots. Above the limit of one owner, the owner's
 * oldest stream is ended, so that a device that was left open does not lock out another one.
 */
export function limitStreams(app: FastifyInstance, limits: LoadLimits) {
  const share = new FairShare(limits.streams, limits.streamsPerNetwork)
  let rejected = 0
  const open = new Map<string, Set<EventStream>>()
  let stopping = false

  /** Ends all streams, one after another within this number of seconds, so that not all clients connect elsewhere at once. */
  function endAll(seconds = 0) {
    stopping = true
    const streams = [...open.values()].flatMap((own) => [...own])
    for (const [index, stream] of streams.entries())
      if (seconds === 0) stream.end()
      else setTimeout(() => stream.end(), (1000 * seconds * index) / streams.length).unref()
  }
  app.addHook('preClose', (done) => {
    endAll()
    done()
  })

  return {
    /** The number of open streams. */
    get count() {
      return share.used
    },
    max: limits.streams,
    /** The number of streams that were rejected since the start because too many were open. */
    get rejected() {
      return rejected
    },

    /**
     * Starts the response of a request. `onEnd` is called once, when the stream has ended. Throws a 503 if the request's
     * network has too many streams.
     */
    open(request: FastifyRequest, reply: FastifyReply, owner: string, onEnd: () => void): EventStream {
      if (stopping) throw unavailable('stream-stopping')
      const { raw: response } = reply
      // No second 'close' event would release the stream.
      if (response.closed) throw unavailable('client-gone')
      const network = networkOf(request.ip)
      const own = open.get(owner) ?? new Set()
      const [oldest] = own
      if (own.size >= limits.streamsPerOwner) oldest?.end()
      if (!share.allows(network)) {
        rejected++
        throw unavailable('too-many-streams', 60)
      }

      const stream = eventStream(response, () => {
        share.release(network, 1)
        own.delete(stream)
        if (own.size === 0) open.delete(owner)
        onEnd()
      })

      share.take(network, 1)
      open.set(owner, own.add(stream))
      reply.hijack()
      response.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        'content-type': 'text/event-stream',
        // nginx buffers responses otherwise.
        'x-accel-buffering': 'no',
        connection: 'close',
      })
      response.flushHeaders()
      return stream
    },

    /** Rejects new streams, and ends the open ones within this number of seconds, 0 by default. */
    endAll,
  }
}

/** Writes events to a response. `onEnd` is called once, when the stream has ended for any reason. */
function eventStream(response: ServerResponse, onEnd: () => void): EventStream {
  let isWriting = false
  let waiting: string | undefined
  let isOpen = true

  function write(text: string) {
    isWriting = true
    response.write(text, 'utf8', () => {
      isWriting = false
      if (waiting === undefined || !isOpen) return
      const next = waiting
      waiting = undefined
      write(next)
    })
  }

  // A client that stops reading is closed by the check for stalled connections: the heartbeats are data that it does not read.
  const timer = setInterval(() => isWriting || write(heartbeat), heartbeatEvery).unref()

  function release() {
    if (!isOpen) return
    isOpen = false
    clearInterval(timer)
    onEnd()
  }
  response.on('close', release)

  return {
    send(data) {
      const event = `data: ${data}\n\n`
      if (isWriting) waiting = event
      else if (isOpen) write(event)
    },
    end() {
      release()
      // The end would wait behind an event that the client does not read.
      if (isWriting) response.destroy()
      else response.end()
    },
  }
}
