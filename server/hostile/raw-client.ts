import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { expect, onTestFinished } from 'vitest'

export type RawClient = Awaited<ReturnType<typeof openRawClient>>

/** Looks until it is so; a busy machine may take a while. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 60_000 })

/** Requests without a body, written one after the other. */
export const gets = (path: string, count = 1, more = '') =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`.repeat(count)

/**
 * A connection that sends what it is told, and reads nothing until it is told. `from` is its address: any of
 * 127.0.0.0/8 is this machine, and each counts as a network of its own.
 */
export async function openRawClient(app: FastifyInstance, from = '127.0.0.1') {
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  let received = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.pause()
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return {
    /** Resolves when this machine has taken the bytes. */
    send: (text: string) => new Promise<void>((resolve) => socket.write(text, () => resolve())),
    /** Reads what comes until there are so many bytes in all. */
    async read(bytes: number) {
      socket.resume()
      while (received.length < bytes && !socket.closed) await Promise.race([once(socket, 'data'), closed])
      socket.pause()
    },
    /** Reads on until the server ends the connection. */
    async readToEnd() {
      socket.resume()
      await closed
      return received
    },
    /** The status of every answer read. */
    statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    leave: () => void socket.destroy(),
  }
}

/** Listens on a free port of this machine. */
export const listen = (app: FastifyInstance) => app.listen({ host: '127.0.0.1', port: 0 })
