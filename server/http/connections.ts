import { channel } from 'node:diagnostics_channel'
import type { Server, ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { EvictingPool, type Holder } from './evicting-pool.ts'
import type { LoadLimits } from './load-limits.ts'
import { networkOf } from './network.ts'

type Connection = Holder & {
  /** Requests whose answer has not left. */
  inFlight: number
  /** The request that is being answered, and how those begin that came after it. */
  current: ServerResponse | undefined
  waiting: (() => void)[]
  /** Bytes that had left when somebody last looked, while there were more to send. */
  sentBytes: number | undefined
}

/** Published for every connection to any server of the process. */
const connectionStarts = channel('net.server.socket')

/** Published for every request, also for those that Node answers by itself. */
const requestStarts = channel('http.server.request.start')

/**
 * Answers one request of a connection at a time, and bounds the number of connections. Beyond it the network with the
 * most loses its oldest idle one: to refuse new ones instead would let one client lock out everybody.
 */
export function boundConnections(app: FastifyInstance, trustedProxies: string[], limits: LoadLimits) {
  const proxies = blockListOf(trustedProxies)
  const pool = new EvictingPool<Connection>(limits.connections, oldestIdle)
  const open = new Map<Socket, Connection>()

  // Fastify listens with a second server where HOST is a name of two addresses; both call the same listener.
  const [listener] = app.server.listeners('request')
  const onConnection = (message: unknown) => {
    const { socket } = message as { socket: Socket & { server: Server } }
    if (!listener || !socket.server.listeners('request').includes(listener)) return
    const address = socket.remoteAddress ?? ''
    const connection: Connection = {
      // A proxy's connections carry everybody's requests, so they are nobody's share.
      network: proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ? undefined : networkOf(address),
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
    // The next one begins in a later turn of the event loop: all of them in one would keep other connections waiting.
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

  // One timer for all of them. A client that only sends, and reads no answer, never looks idle to Node.
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

  // Answers leave in the order of their requests, so to begin one before the last has left would only fill memory.
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // What was pipelined in one packet still comes here after its connection was ended.
    if (socket.destroyed) return
    const connection = open.get(socket)
    const begin = () => {
      if (connection) connection.current = response
      done()
    }
    if (connection?.current) connection.waiting.push(begin)
    else begin()
  })

  return {
    /** How many there are. */
    get count() {
      return pool.used
    },
  }
}

/** The connection that waits longest for a request, or the newest if all of them are busy. */
function oldestIdle(connections: ReadonlyMap<Connection, number>): Connection {
  let newest: Connection | undefined
  for (const connection of connections.keys()) {
    if (connection.inFlight === 0) return connection
    newest = connection
  }
  return newest as Connection
}

/**
 * Bytes that the operating system has taken. Node counts one large write as unsent until its last byte, so the
 * public `writableLength` does not tell a slow reader from one who reads nothing.
 */
function bytesSent(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: { bytesWritten: number; writeQueueSize: number }
  }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}

function blockListOf(networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}
