import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import { problem } from '../errors.ts'
import { answerHeaders } from '../headers.ts'

// What Node refuses before there is a request that Fastify could answer: problem documents too, with the same headers.

/** Refuses what cannot be read as a request, or did not arrive in time, and ends its connection. */
export function refuseUnreadable(config: Config) {
  return ({ code = '' }: { code?: string }, socket: Duplex) => {
    if (code === 'ECONNRESET' || !socket.writable || !mayAnswer(socket)) return socket.destroy()
    const [status, detail] = unreadable[code] ?? [400, 'This is no HTTP request that can be read.']
    end(socket, config, status, detail)
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
  server.on('connect', (_request, socket) => {
    // Node leaves the connection to this listener, errors included.
    socket.on('error', () => socket.destroy())
    end(socket, config, 501, 'CONNECT is for proxies, and this server is none.')
  })
  server.on('checkExpectation', (_request, response) => {
    const { headers, body } = answer(config, 417, 'The only expectation that can be met is 100-continue.')
    response.writeHead(417, headers).end(body)
  })
  server.on('request', (request, response) => lastExchange.set(request.socket, { request, response }))
}

const lastExchange = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()

/**
 * Whether the client would take an answer for one to what cannot be read. While an earlier request waits for its
 * answer, or this one's has begun, it would be read as a part of that.
 */
function mayAnswer(socket: Duplex): boolean {
  const last = lastExchange.get(socket)
  if (!last) return true
  const { request, response } = last
  return request.complete ? response.writableFinished : response.socket !== null && !response.headersSent
}

function end(socket: Duplex, config: Config, status: number, detail: string) {
  const { title, headers, body } = answer(config, status, detail)
  const lines = Object.entries({ date: new Date().toUTCString(), ...headers }).map((header) =>
    header.join(': '),
  )
  socket.end(`${[`HTTP/1.1 ${status} ${title}`, ...lines].join('\r\n')}\r\n\r\n${body}`, () =>
    socket.destroy(),
  )
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
