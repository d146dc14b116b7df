import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A shorter text is sent in one packet as it is. */
const shortBytes = 1024

/** How many texts are compressed at a time. Threads of Node do it, which also hash passwords and read files. */
const atOnce = 2

/** Higher qualities take several times as long. */
const params = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
}

const encodings = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params }),
  gzip: promisify<Buffer, Buffer>(gzip),
}
type Encoding = keyof typeof encodings

type Compressed = { encoding: Encoding | undefined; bytes: Buffer }

/**
 * Returns a function that compresses a text if the client accepts it, without blocking the event loop. An account has one text
 * compressed at a time: others are not compressed, so that nobody waits.
 */
export function createCompression() {
  const accounts = new Set<string>()

  return async function compressed(owner: string, text: string, accepted?: string): Promise<Compressed> {
    const bytes = Buffer.from(text)
    const encoding = encodingIn(accepted)
    const isBusy = accounts.size >= atOnce || accounts.has(owner)
    if (!encoding || isBusy || bytes.length <= shortBytes) return { encoding: undefined, bytes }
    accounts.add(owner)
    try {
      return { encoding, bytes: await encodings[encoding](bytes) }
    } finally {
      accounts.delete(owner)
    }
  }
}

export function encodingIn(accepted: string | string[] = ''): Encoding | undefined {
  const names = String(accepted)
    .toLowerCase()
    .split(',')
    .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
    .map((each) => each.replace(/;.*/, '').trim())
  return (Object.keys(encodings) as Encoding[]).find((name) => names.includes(name))
}
