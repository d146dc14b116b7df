import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { HttpError, problemOf } from '../errors.ts'
import { partyOf } from '../fairness/network.ts'
import { runAs } from '../fairness/turns.ts'
import { apiHeaders } from './headers.ts'

// Responses to requests that Node rejects before Fastify gets them: problem documents with the same headers as all others.

/** Rejects requests that are malformed or too slow, and closes their connection. */
export function rejectUnreadable({ code = '' }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  if (rejected.has(socket)) return
  rejected.add(socket)
  const error = new HttpError(unreadable[code as keyof typeof unreadable] ?? 'malformed-http')
  const send = () => reject(socket, error)
  // Node checks all connections in one turn of the event loop, and thousands may be too slow at once.
  if (error.status === 408) runAs(partyOf(socket.remoteAddress ?? '', 'connections'), send)
  else send()
}

const unreadable = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'chunk-extensions-too-large',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
} as const

/** Rejects CONNECT, and every Expect but 100-continue: Node would respond without headers or not at all. */
export function rejectConnectAndExpect(server: Server) {
  server.on('connect', (_request, socket: Socket) => {
    // Node passes the connection, with its errors, to this listener.
    socket.on('error', () => socket.destroy())
    reject(socket, new HttpError('connect-unsupported'))
  })
  server.on('checkExpectation', (_request, response) => {
    const { headers, body } = errorResponse(new HttpError('unsupported-expectation'))
    response.writeHead(417, headers).end(body)
  })
  server.on('request', (request, response) => lastExchange.set(request.socket, { request, response }))
}

const lastExchange = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()

/** The connections whose unreadable request was rejected. Node reports a request that is too slow every second. */
const rejected = new WeakSet<Socket>()

/** Responds with an error after the responses to earlier requests, and drops all further data of the connection. */
function reject(socket: Socket, error: HttpError) {
  const last = lastExchange.get(socket)
  const send = () => (socket.writable ? end(socket, error) : socket.destroySoon())
  if (!last) return send()
  const { request, response } = last
  if (request.complete) return response.writableFinished ? send() : response.once('finish', send)
  // The invalid data is the body of the last request. It gets this error, unless it or an earlier request has a response.
  if (response.headersSent || response.socket === null) return socket.destroySoon()
  send()
}

/** Closing a connection with unread data resets it, and the client may then lose the response. */
const lingerMilliseconds = 2000

function end(socket: Socket, error: HttpError) {
  const { title, headers, body } = errorResponse(error)
  const fields = Object.entries({ date: new Date().toUTCString(), ...headers })
  const head = [`HTTP/1.1 ${error.status} ${title}`, ...fields.map((field) => field.join(': '))].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}

function errorResponse(error: HttpError) {
  const document = problemOf(error)
  const body = JSON.stringify(document)
  const headers = {
    ...apiHeaders,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    connection: 'close',
  }
  return { title: document.title, headers, body }
}
