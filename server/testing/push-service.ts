import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** The key and the certificate of a server at `localhost`, for tests alone. */
const pem = readFileSync(join(import.meta.dirname, 'stored/localhost.pem'), 'utf8')

export const certificate = pem.slice(pem.indexOf('-----BEGIN CERT'))

export type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer }
type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void

/** Starts a push service on this machine, which this process trusts. It answers as `answer` does, 201 by default. */
export async function startPushService() {
  setDefaultCACertificates([...new Set([...getCACertificates('default'), certificate])])
  const received: Received[] = []
  const behaviour: { answer: Answer } = { answer: (response) => response.writeHead(201).end() }
  const server = createServer({ key: pem, cert: pem }, async (request, response) => {
    const chunks = await request.toArray()
    const each = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) }
    received.push(each)
    behaviour.answer(response, each, request)
  })
  // A connection that ends while a request begins on it fails that attempt, and the next one comes after a pause.
  server.keepAliveTimeout = 0
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://localhost:${port}`,
    received,
    behaviour,
    connections: () =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    endConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A browser that decrypts what it gets (RFC 8291). */
export function newBrowser(origin: string, path: string) {
  const ecdh = createECDH('prime256v1')
  const [own, auth] = [ecdh.generateKeys(), randomBytes(16)]
  const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, length))

  return {
    path,
    subscription: {
      endpoint: origin + path,
      keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    },
    decrypt(body: Buffer) {
      const [salt, size, length] = [body.subarray(0, 16), body.readUInt32BE(16), body[20] ?? 0]
      const [theirs, record] = [body.subarray(21, 21 + length), body.subarray(21 + length)]
      if (record.length > size) throw new Error('the record is longer than it says')
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, theirs])
      const key = derive(ecdh.computeSecret(theirs), auth, info, 32)
      const nonce = derive(key, salt, 'Content-Encoding: nonce\0', 12)
      const contentKey = derive(key, salt, 'Content-Encoding: aes128gcm\0', 16)
      const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce)
      decipher.setAuthTag(record.subarray(-16))
      const text = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      if (text.at(-1) !== 2) throw new Error('the record is not the last one')
      return JSON.parse(text.subarray(0, -1).toString())
    },
  }
}
export type Browser = ReturnType<typeof newBrowser>

/** Returns the claims of a VAPID header whose signature is right for this key. */
export function vapidClaims(authorization: string, key: string) {
  const [, token = '', shown] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [header, claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as { kty: string; crv: string; x: string; y: string }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const [signed, signer] = [
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
  ] as const
  const isRight = verify('sha256', signed, signer, Buffer.from(signature, 'base64url'))
  return shown === key && isRight ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : undefined
}
