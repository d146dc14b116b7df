import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  /** The same URL, through the proxy. */
  url: URL
  /** Closes the next connection that sends this text, before the server receives it or after, without the response. */
  cut(when: 'before' | 'after', text: string): void
  /** Stops forwarding on open connections, and with `all` on new ones too, without closing any. */
  stall(which: 'open' | 'all'): void
  resume(): void
  close(): void
}

/** Starts a TCP proxy that simulates network failures, and a delay in milliseconds per direction, between server and PostgreSQL. */
export async function startProxy(target: URL, { delay = 0 } = {}): Promise<TcpProxy> {
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
      socket.on('error', destroyBoth).on('close', destroyBoth)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes) => {
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
    url,
    cut(when, text) {
      next = { when, text }
    },
    stall(which) {
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
