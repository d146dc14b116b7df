import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { problem } from '../errors.ts'
import { answerHeaders } from './headers.ts'

// What Node refuses before there is a request that Fastify could answer: problem documents too, with the same headers.

/** Refuses what cannot be read as a request, or did not arrive in time, and ends its connection. */
export function refuseUnreadable(config: Config) {
  return ({ code = '' }: { code?: string }, socket: Socket) => {
    if (code === 'ECONNRESET') return socket.destroy()
    const [status, detail] = unreadable[code] ?? [400, 'This is no HTTP request that can be read.']
    refuse(socket, config, status, detail)
  }
}

const unreadable: Record<string, [number, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'The chunk extensions of the request are larger than this server reads.',
  ],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are larger than this server reads.'],
}

/** Refuses what Node would answer without headers or not at all: CONNECT, and every Expect but 100-continue. */
export function refuseConnectAndExpect(server: Server, config: Config) {
  server.on('connect', (_request, socket: Socket) => {
    // Node leaves the connection to this listener, errors included.
    socket.on('error', () => socket.destroy())
    refuse(socket, config, 501, 'CONNECT is for proxies, and this server is none.')
  })
  server.on('checkExpectation', (_request, response) => {
    const { headers, body } = answer(config, 417, 'The only expectation that can be met is 100-continue.')
    response.writeHead(417, headers).end(body)
  })
  server.on('request', (request, response) => lastExchange.set(request.socket, { request, response }))
}

/** The last request that was read on a connection. */
const lastExchange = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()

const refused = new WeakSet<Socket>()

/** Refuses what a connection brought, in its turn: what comes after that is dropped. */
function refuse(socket: Socket, config: Config, status: number, detail: string) {
  if (refused.has(socket)) return
  refused.add(socket)
  const last = lastExchange.get(socket)
  const send = () => (socket.writable ? end(socket, config, status, detail) : socket.destroySoon())
  if (!last) return send()
  const { request, response } = last
  if (request.complete) return response.writableFinished ? send() : response.once('finish', send)
  // The body of the last request is what is refused: this is its answer, unless it has one or others come first.
  if (response.headersSent || response.socket === null) return socket.destroySoon()
  send()
}

/** A connection that is closed with bytes yet to be read is reset, and its client may never see the answer. */
const lingerMilliseconds = 2000

function end(socket: Socket, config: Config, status: number, detail: string) {
  const { title, headers, body } = answer(config, status, detail)
  const fields = Object.entries({ date: new Date().toUTCString(), ...headers })
  const head = [`HTTP/1.1 ${status} ${title}`, ...fields.map((field) => field.join(': '))].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}

function answer(config: Config, status: number, detail: string) {
  const document = problem(status, detail)
  const body = JSON.stringify(document)
  const headers = {
    ...answerHeaders(config),
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  return { title: document.title, headers, body }
}
