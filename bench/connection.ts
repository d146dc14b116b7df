import { connect } from 'node:net'

export type Answer = {
  status: number
  header(name: string): string | undefined
  /** The length of the body. Most bodies need not be decoded. */
  bytes: number
  body(): string
}

/**
 * A connection that sends one request at a time and reads answers with a content-length. It takes a small part of the
 * processor time of node:http's client, so that a measurement is of the server.
 */
export type Connection = ReturnType<typeof openConnection>

export function openConnection(base: string) {
  const { hostname, port } = new URL(base)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received: Buffer = Buffer.alloc(0)
  let waiting: PromiseWithResolvers<Answer> | undefined
  const fail = (error = new Error('the server closed a connection')) => waiting?.reject(error)
  socket.on('error', fail).on('close', () => fail())
  socket.on('data', (bytes: Buffer) => {
    // The events of a stream, which only has to be read.
    if (!waiting) return
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = received.toString('latin1', 0, headEnd)
    const header = (name: string) => new RegExp(`^${name}: (.*?)\r?$`, 'im').exec(head)?.[1]
    const end = headEnd + 4 + Number(header('content-length') ?? 0)
    if (received.length < end) return
    const [{ resolve }, whole] = [waiting, received]
    received = Buffer.alloc(0)
    waiting = undefined
    resolve({
      status: Number(head.slice(9, 12)),
      header,
      bytes: end - headEnd - 4,
      body: () => whole.toString('utf8', headEnd + 4, end),
    })
  })
  return {
    send(request: string): Promise<Answer> {
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close: () =>
      socket
        .removeAllListeners()
        .on('error', () => {})
        .destroy(),
  }
}
