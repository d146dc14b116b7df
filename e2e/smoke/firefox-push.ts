import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Received, startPushService } from '../../server/testing/push-service.ts'

/** Lets a server send to the push service of this machine. */
export const pushEnvironment = {
  PUSH_HOSTS: 'localhost',
  CONTACT: 'admin@example.org',
  NODE_EXTRA_CA_CERTS: join(import.meta.dirname, '../../server/testing/stored/localhost.pem'),
}

/**
 * Starts a push service on this machine for one Firefox, in the place of Mozilla's. Servers send to it over https, and it passes what they
 * send on by the WebSocket of the browser.
 */
export async function startFirefoxPush() {
  const service = await startPushService()
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(sockets, 'listening')
  const greeted = Promise.withResolvers<void>()
  const ended = new Set<string>()
  /** What Firefox said of each message. */
  const codes: number[] = []
  let browser: WebSocket

  sockets.on('connection', (socket) => {
    browser = socket
    socket.on('message', (text) => {
      const { messageType, channelID, updates = [] } = JSON.parse(String(text))
      const answer = (values: object) => socket.send(JSON.stringify({ messageType, status: 200, ...values }))
      if (messageType === 'hello') {
        answer({ uaid: randomUUID().replaceAll('-', ''), use_webpush: true, broadcasts: {} })
        greeted.resolve()
      } else if (messageType === 'register')
        answer({ channelID, pushEndpoint: `${service.origin}/${channelID}` })
      else if (messageType === 'unregister') answer({ channelID })
      else if (messageType === 'ack') codes.push(...updates.map(({ code }: { code: number }) => code))
      else if (messageType === undefined) socket.send('{}')
    })
  })
  service.behaviour.answer = (response, { path, headers, body }: Received) => {
    if (ended.has(path)) return response.writeHead(410).end()
    browser.send(
      JSON.stringify({
        ...{ messageType: 'notification', channelID: path.slice(1), version: randomUUID() },
        ...{ headers: { encoding: headers['content-encoding'] }, data: body.toString('base64url') },
      }),
    )
    return response.writeHead(201).end()
  }
  return {
    preferences: {
      'dom.push.serverURL': `ws://127.0.0.1:${sockets.address().port}/`,
      'dom.push.testing.allowInsecureServerURL': true,
      // Granted: no window asks in a browser without a screen.
      'permissions.default.desktop-notification': 1,
    },
    received: service.received,
    codes,
    /** Firefox has connected. Before that it refuses subscriptions. */
    greeted: greeted.promise,
    /** Answers messages to an endpoint as if the browser had none such any more. Firefox itself is told nothing. */
    end: (endpoint: string) => ended.add(new URL(endpoint).pathname),
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      await service.close()
    },
  }
}

export type FirefoxPush = Awaited<ReturnType<typeof startFirefoxPush>>
