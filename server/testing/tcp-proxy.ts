import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  /** The same URL, through the proxy. */
  url: URL
  /** Breaks the next connection that sends this text: before the server sees it, or before its answer is seen. */
  cut(when: 'before' | 'after', text: string): void
  /** Lets nothing more through the connections that are open, and with `all` through new ones either, breaking none. */
  stall(which: 'open' | 'all'): void
  resume(): void
  close(): void
}

/** A way to a server over which a test can lose it, and that takes `delay` milliseconds in each direction. */
export async function startProxy(target: URL, { delay = 0 } = {}): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const pass = (bytes: string | Buffer, to: Socket) =>
    delay ? setTimeout(() => to.write(bytes), delay) : to.write(bytes)
  let next: { when: 'before' | 'after'; text: string } | undefined
  let stalled = false

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pair = [client, upstream] as const
    let losesAnswer = false
    const breakOff = () => {
      for (const socket of pair) socket.destroy()
    }
    for (const socket of pair) {
      sockets.add(socket)
      if (stalled) socket.pause()
      socket.on('error', breakOff).on('close', breakOff)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes) => {
      if (next && bytes.includes(next.text)) {
        const { when } = next
        next = undefined
        if (when === 'before') return breakOff()
        losesAnswer = true
      }
      pass(bytes, upstream)
    })
    upstream.on('data', (bytes) => (losesAnswer ? breakOff() : pass(bytes, client)))
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
