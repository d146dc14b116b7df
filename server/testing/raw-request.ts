import { once } from 'node:events'
import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; body: string; text: string }

/** Sends these bytes as they are, and reads until the server ends the connection: the first answer, and all of the text. */
export async function rawRequest(origin: string, request: string): Promise<RawAnswer> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (more) => {
    text += more
  })
  socket.write(request)
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = lines.map((header) => header.split(/: (.*)/s).slice(0, 2) as [string, string])
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body,
    text,
  }
}
