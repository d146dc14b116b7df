import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = Awaited<ReturnType<typeof startProxy>>

type Options = {
  /** In milliseconds, per direction. */
  delay?: number
  /** Drops the startup options of connections, as some connection poolers do. */
  dropOptions?: boolean
}

/** Starts a TCP proxy that simulates network failures between server and PostgreSQL. */
export async function startProxy(target: URL, { delay = 0, dropOptions = false }: Options = {}) {
  const sockets = new Set<Socket>()
  let next: { when: 'before' | 'after'; text: string } | undefined
  let stalled = false

  const pass = (to: Socket, bytes: Buffer | string) =>
    delay ? setTimeout(() => to.writable && to.write(bytes), delay) : to.write(bytes)

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pair = [client, upstream] as const
    let dropsResponse = false
    const destroyBoth = () => {
      for (const socket of pair) socket.destroy()
    }
    for (const socket of pair) {
      sockets.add(socket)
      if (stalled) socket.pause()
      // With a delay, the other side still receives data that was sent before.
      socket.on('error', destroyBoth).on('close', () => setTimeout(destroyBoth, delay))
      socket.on('close', () => sockets.delete(socket))
    }
    let started = !dropOptions
    client.on('data', (received: Buffer) => {
      const bytes = started ? received : withoutOptions(received)
      started = true
      if (next && bytes.includes(next.text)) {
        const { when } = next
        next = undefined
        if (when === 'before') return destroyBoth()
        dropsResponse = true
      }
      pass(upstream, bytes)
    })
    upstream.on('data', (bytes) => (dropsResponse ? destroyBoth() : pass(client, bytes)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const url = new URL(target)
  url.port = String((server.address() as { port: number }).port)
  return {
    /** The same URL, through the proxy. */
    url,
    /** Closes the next connection that sends this text, before the server receives it or after, without the response. */
    cut(when: 'before' | 'after', text: string) {
      next = { when, text }
    },
    /** Stops forwarding on open connections, and with `all` on new ones too, without closing any. */
    stall(which: 'open' | 'all') {
      stalled = which === 'all'
      for (const socket of sockets) socket.pause()
    },
    resume() {
      stalled = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Removes `options` from a startup message: length, version, names and values that end with a zero, and a zero. */
function withoutOptions(message: Buffer): Buffer {
  const fields = message.toString('latin1', 8).split('\0')
  const at = fields.indexOf('options')
  if (at >= 0) fields.splice(at, 2)
  const copy = Buffer.concat([message.subarray(0, 8), Buffer.from(fields.join('\0'), 'latin1')])
  copy.writeInt32BE(copy.length)
  return copy
}
