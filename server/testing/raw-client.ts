import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { many } from './many-clients.ts'

export type RawClient = Awaited<ReturnType<typeof openRawClient>>

/** Polls until the expectation holds, for as long as a busy machine may need. */
export const eventually = <T>(look: () => T) => expect.poll(look)

/** Returns `count` pipelined GET requests, each with the header lines `more`. */
export const gets = (path: string, count = 1, more = '') =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`.repeat(count)

/** The same, after which the server closes the connection. */
export const lastGet = (path: string) => gets(path, 1, 'connection: close\r\n')

/** Returns a POST request of JSON, with the header lines `more`. */
export function posts(path: string, body: unknown, more = '') {
  const text = JSON.stringify(body)
  const type = `content-type: application/json\r\ncontent-length: ${text.length}\r\n`
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${more}${type}\r\n${text}`
}

/** The header line with the token of a user. */
export const bearer = ({ token }: { token: string }) => `authorization: Bearer ${token}\r\n`

/** Sends a text on each of so many connections from an address, until the server has read all of their heads. */
export async function flood(app: FastifyInstance, count: number, text: string, from?: string) {
  let arrived = 0
  app.server.on('request', () => arrived++)
  const clients = await Promise.all(many(count, () => openRawClient(app, from)))
  await Promise.all(clients.map((client) => client.send(text)))
  await eventually(() => arrived).toBe(count)
  return clients
}

/** Waits until a server serves no connection, and holds neither slots nor bytes for one. */
export const expectIdle = ({ load: { connections, requests, waitingBytes } }: FastifyInstance) =>
  eventually(() => [connections.count, requests.slots, waitingBytes.used]).toEqual([0, 0, 0])

/**
 * Opens a TCP connection to an app or an origin, which reads only on request. `from` is the client's address: all of
 * 127.0.0.0/8 are local addresses, and each counts as a separate network.
 */
export async function openRawClient(target: FastifyInstance | string, from = '127.0.0.1') {
  const socket = connect({ host: '127.0.0.1', port: portOf(target), localAddress: from })
  let received = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.pause()
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const client = {
    /** Resolves when the operating system has accepted the bytes. */
    send: (text: string) => new Promise<void>((resolve) => socket.write(text, () => resolve())),
    /** Reads until this many bytes have been received in all. */
    async read(bytes: number) {
      socket.resume()
      while (received.length < bytes && !socket.closed) await Promise.race([once(socket, 'data'), closed])
      socket.pause()
    },
    /** Reads until the server closes the connection. */
    async readToEnd() {
      socket.resume()
      await closed
      return received
    },
    /** Sends the last requests of the connection and returns the status codes of all responses. */
    async finish(text: string) {
      await client.send(text)
      await client.readToEnd()
      return client.statuses()
    },
    /** Sends a request and returns the status codes once the first line of a response has come. */
    async ask(text: string) {
      await client.send(text)
      await client.read(12)
      return client.statuses()
    },
    received: () => received,
    bytes: () => received.length,
    /** The status codes of all responses received. */
    statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    leave: () => void socket.destroy(),
  }
  return client
}

/**
 * Sends raw bytes on a new connection and reads until the server closes it. Returns the first response, and the text of
 * all responses.
 */
export async function rawRequest(origin: string, request: string) {
  const client = await openRawClient(origin)
  await client.send(request)
  const text = Buffer.from(await client.readToEnd(), 'latin1').toString()
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((header) => header.split(/: (.*)/s).slice(0, 2) as [string, string])
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body,
    text,
  }
}

/** Adds GET and POST /hang to an app, which are answered when the test releases it. */
export function addHanging(app: FastifyInstance) {
  const { promise, resolve } = Promise.withResolvers<string>()
  const hanging = { begun: 0, release: () => resolve('done') }
  app.all('/hang', () => {
    hanging.begun++
    return promise
  })
  return hanging
}

/** Starts to listen on a free local port. */
export const listen = (app: FastifyInstance) => app.listen({ host: '127.0.0.1', port: 0 })

export const portOf = (target: FastifyInstance | string) =>
  typeof target === 'string' ? Number(new URL(target).port) : (target.server.address() as AddressInfo).port
