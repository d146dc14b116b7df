import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { groupsOf, inNetworks, networkOf } from '../http/network.ts'
import { connected } from '../turns/turns.ts'
import { EvictingPool, type Holder } from './evicting-pool.ts'
import type { LoadLimits } from './load-limits.ts'
import { type Exchange, parseInTurns, parsesInTurns } from './parsing-in-turns.ts'

type Connection = Holder & {
  last: Exchange | undefined
  /** Continues to parse what was received. */
  parse(): void
  /** Bytes sent at the last check, if there were more to send. */
  sentBytes: number | undefined
}

/** Node publishes here for every connection to any server of the process. */
const connectionStarts = channel('net.server.socket')

/** Node publishes here for every request, including those that it answers itself. */
const requestStarts = channel('http.server.request.start')

/** Node makes several objects of each header, and rejects a head with more. Browsers and proxies send some thirty. */
const mostHeaders = 200

/** Node warns of a leak at eleven listeners. Sending a file needs nine, and the limits in this folder add three. */
const maxResponseListeners = 20

/**
 * Limits the number of connections. Above the limit, the oldest idle connection of the network with the most connections is closed. If
 * new connections were rejected instead, one client could lock out all others.
 */
export function limitConnections(app: FastifyInstance, config: Config, limits: LoadLimits) {
  const isPublic = parsesInTurns(config)
  const isProxy = inNetworks(config.trustedProxies)
  const pool = new EvictingPool<Connection>(limits.connections, oldestIdle)
  const unparsed = new EvictingPool<Connection>(limits.unparsedBytes)
  const open = new Map<Socket, Connection>()
  app.server.maxHeadersCount = mostHeaders

  // If HOST resolves to two addresses, Fastify uses a second server with the same listener.
  const [listener] = app.server.listeners('request')
  const onConnection = (message: unknown) => {
    const { socket } = message as { socket: Socket & { server: Server } }
    if (!listener || !socket.server.listeners('request').includes(listener)) return
    connected()
    const address = socket.remoteAddress ?? ''
    const connection: Connection = {
      // Connections of a proxy carry requests of many clients.
      network: isProxy(address) ? undefined : networkOf(address),
      last: undefined,
      parse: () => {},
      sentBytes: undefined,
      evict: () => socket.destroy(),
    }
    if (isPublic)
      connection.parse = parseInTurns(socket, {
        groups: groupsOf(address, 'connections'),
        last: () => connection.last,
        waits: (bytes) => (bytes > 0 ? unparsed.hold(connection, bytes) : unparsed.release(connection)),
      })
    open.set(socket, connection)
    socket.once('close', () => {
      open.delete(socket)
      pool.release(connection)
      unparsed.release(connection)
    })
    pool.hold(connection, 1)
  }
  connectionStarts.subscribe(onConnection)

  const onRequestStart = (message: unknown) => {
    const { socket, request, response } = message as {
      socket: Socket
      request: IncomingMessage
      response: ServerResponse
    }
    const connection = open.get(socket)
    if (!connection) return
    const exchange = { request, isAnswered: false }
    connection.last = exchange
    request.once('resume', connection.parse)
    response.setMaxListeners(maxResponseListeners)
    response.on('close', () => {
      exchange.isAnswered = true
      connection.parse()
    })
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
    if (connection.last?.isAnswered !== false) return connection
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
