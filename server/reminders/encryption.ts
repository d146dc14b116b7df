import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  sign,
  type webcrypto,
} from 'node:crypto'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

// Web Push: encryption of messages (RFC 8291, RFC 8188) and identification of the server (RFC 8292). This file is also the thread that
// encrypts: 0.2 ms a message would delay the requests of others.

/** A message for a browser, whose keys are in base64url, and the keys and the contact of the server. */
export type Message = {
  text: string
  endpoint: string
  p256dh: string
  auth: string
  vapid: webcrypto.JsonWebKey
  publicKey: string
  contact: string
}

export type Encrypted = { body: Uint8Array; authorization: string }

const recordSize = 4096

export function encrypt({ text, p256dh, auth }: Pick<Message, 'text' | 'p256dh' | 'auth'>): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url')
  const own = createECDH('prime256v1')
  const ours = own.generateKeys()
  const salt = randomBytes(16)
  const derive = (key: Buffer, using: Buffer, info: string | Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, using, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const key = derive(own.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32)
  const contentKey = derive(key, salt, 'Content-Encoding: aes128gcm\0', 16)
  const cipher = createCipheriv('aes-128-gcm', contentKey, derive(key, salt, 'Content-Encoding: nonce\0', 12))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  const header = [salt, size, Buffer.of(ours.length), ours]
  // 2 ends the last record.
  const record = [cipher.update(text), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([...header, ...record])
}

/** Push services accept a token for 24 hours at most. */
const [tokenLife, tokenReuse] = [12 * 3_600_000, 6 * 3_600_000]

function authorizationFor(origin: string, { vapid, publicKey, contact }: Message, now: number): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: origin, exp: Math.floor((now + tokenLife) / 1000), sub: contact }
  const text = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`
  const key = createPrivateKey({ key: vapid, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`
}

const authorizations = new Map<string, { header: string; at: number }>()

function prepare(message: Message): Encrypted {
  const [{ origin }, now] = [new URL(message.endpoint), Date.now()]
  let known = authorizations.get(origin)
  if (!known || now - known.at > tokenReuse || now < known.at) {
    known = { header: authorizationFor(origin, message, now), at: now }
    authorizations.set(origin, known)
  }
  return { body: encrypt(message), authorization: known.header }
}

type Reply = { id: number } & (Encrypted | { error: string })

if (!isMainThread && parentPort) {
  const port = parentPort
  port.on('message', ({ id, message }: { id: number; message: Message }) => {
    try {
      port.postMessage({ id, ...prepare(message) })
    } catch (error) {
      port.postMessage({ id, error: String(error) })
    }
  })
}

/** Starts the thread with the first message. */
export function encryptionThread() {
  const waiting = new Map<number, PromiseWithResolvers<Encrypted>>()
  let worker: Worker | undefined
  let last = 0

  function start() {
    const started = new Worker(new URL(import.meta.url))
    started.unref()
    started.on('message', ({ id, ...reply }: Reply) => {
      const promise = waiting.get(id)
      waiting.delete(id)
      if ('error' in reply) promise?.reject(new Error(reply.error))
      else promise?.resolve(reply as Encrypted)
    })
    const fail = (error: Error) => {
      worker = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on('error', fail)
    started.on('exit', () => fail(new Error('the thread that encrypts has ended')))
    return started
  }

  return {
    encrypt(message: Message): Promise<Encrypted> {
      worker ??= start()
      const promise = Promise.withResolvers<Encrypted>()
      waiting.set(++last, promise)
      worker.postMessage({ id: last, message })
      return promise.promise
    },
    close: async () => void (await worker?.terminate()),
  }
}
