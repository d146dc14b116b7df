import { channel } from 'node:diagnostics_channel'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { EvictingPool, type Holder } from './evicting-pool.ts'
import type { LoadLimits } from './load-limits.ts'
import { inNetworks, networkOf } from './network.ts'
import { connected } from './turns.ts'

type Connection = Holder & {
  /** Requests whose response has not been sent. */
  inFlight: number
  /** The request in progress, and the functions that start the requests after it. */
  current: ServerResponse | undefined
  waiting: (() => void)[]
  /** Bytes sent at the last check, if there were more to send. */
  sentBytes: number | undefined
}

/** Node publishes here for every connection to any server of the process. */
const connectionStarts = channel('net.server.socket')

/** Node publishes here for every request, including those that it answers itself. */
const requestStarts = channel('http.server.request.start')

/** Node warns of a leak at eleven listeners. Sending a file needs nine, and the limits in this folder add three. */
const maxResponseListeners = 20

/**
 * Processes one request per connection at a time, and limits the number of connections. Above the limit, the oldest idle
 * connection of the network with the most connections is closed. If new connections were rejected instead, one client
 * could lock out all others.
 */
export function limitConnections(app: FastifyInstance, trustedProxies: string[], limits: LoadLimits) {
  const isProxy = inNetworks(trustedProxies)
  const pool = new EvictingPool<Connection>(limits.connections, oldestIdle)
  const open = new Map<Socket, Connection>()

  // If HOST resolves to two addresses, Fastify uses a second server with the same listener.
  const [listener] = app.server.listeners('request')
  const onConnection = (message: unknown) => {
    const { socket } = message as { socket: Socket & { server: Server } }
    if (!listener || !socket.server.listeners('request').includes(listener)) return
    connected()
    const address = socket.remoteAddress ?? ''
    const connection: Connection = {
      // Connections of a proxy carry requests of many clients, so they count for no network.
      network: isProxy(address) ? undefined : networkOf(address),
      inFlight: 0,
      current: undefined,
      waiting: [],
      sentBytes: undefined,
      evict: () => socket.destroy(),
    }
    open.set(socket, connection)
    socket.once('close', () => {
      open.delete(socket)
      pool.release(connection)
    })
    pool.hold(connection, 1)
  }
  connectionStarts.subscribe(onConnection)

  const onRequestStart = (message: unknown) => {
    const { socket, response } = message as { socket: Socket; response: ServerResponse }
    const connection = open.get(socket)
    if (!connection) return
    connection.inFlight++
    // The next request starts in a later turn of the event loop, so that other connections are served in between.
    response.setMaxListeners(maxResponseListeners)
    response.on('close', () => {
      connection.inFlight--
      if (connection.current !== response) return
      const next = connection.waiting.shift()
      if (next) setImmediate(() => socket.destroyed || next())
      else connection.current = undefined
    })
    if (connection.inFlight > limits.inFlightPerConnection) socket.destroy()
  }
  requestStarts.subscribe(onRequestStart)

  // One timer checks all connections. Node never considers a client idle that sends but does not read.
  const sweep = setInterval(() => {
    for (const [socket, connection] of open) {
      const sent = socket.writableLength > 0 ? bytesSent(socket) : undefined
      if (sent !== undefined && sent === connection.sentBytes) socket.destroy()
      connection.sentBytes = sent
    }
  }, limits.stalledAfter).unref()

  app.addHook('onClose', () => {
    clearInterval(sweep)
    connectionStarts.unsubscribe(onConnection)
    requestStarts.unsubscribe(onRequestStart)
  })

  // Responses are sent in the order of their requests, so starting one early would only use memory.
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // Requests that were pipelined in one packet still arrive here after their connection was closed.
    if (socket.destroyed) return
    const connection = open.get(socket)
    if (connection?.current) {
      connection.waiting.push(() => {
        connection.current = response
        done()
      })
      return
    }
    if (connection) connection.current = response
    done()
  })

  return {
    /** The number of open connections. */
    get count() {
      return pool.used
    },
  }
}

/** Returns the connection that has been open longest without a request in progress, or else the newest one. */
function oldestIdle(connections: ReadonlyMap<Connection, number>): Connection {
  let newest: Connection | undefined
  for (const connection of connections.keys()) {
    if (connection.inFlight === 0) return connection
    newest = connection
  }
  return newest as Connection
}

/**
 * Returns the number of bytes that the operating system has accepted. The public `writableLength` counts a large write
 * as unsent until its last byte, so it does not distinguish a slow client from a stalled one.
 */
function bytesSent(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number }
  }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
