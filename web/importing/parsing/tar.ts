import { ImportError } from './import-codes.ts'
import { importLimits } from './import-limits.ts'
import { chunksOf } from './zip.ts'

const block = 512
/** Headers of small files are read together. */
const windowLength = 1_048_576
const longestName = 65_536

/** Whether a file begins like a tar, which Joplin calls JEX. */
export const isTar = (start: Uint8Array): boolean => textOf(start, 257, 5) === 'ustar'

export const isGzip = (start: Uint8Array): boolean => start[0] === 0x1f && start[1] === 0x8b

/** Yields the bytes of a gzip. */
export async function* gunzipped(bytes: Blob, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunksOf(bytes.stream().pipeThrough(new DecompressionStream('gzip')))
  } catch (error) {
    throw error instanceof TypeError ? new ImportError('damaged-archive', {}, { file: name }) : error
  }
}

/** Returns the files of a tar, with the long names of GNU and POSIX. */
export async function filesOfTar(tar: Blob, name: string) {
  const damaged = () => new ImportError('damaged-archive', {}, { file: name })
  let [from, near] = [0, new Uint8Array()]
  async function read(at: number, length: number): Promise<Uint8Array> {
    if (at + length > tar.size) throw damaged()
    if (at < from || at + length > from + near.length) {
      from = at
      near = new Uint8Array(await tar.slice(at, at + Math.max(length, windowLength)).arrayBuffer())
    }
    return near.subarray(at - from, at - from + length)
  }
  const files: { path: string; inflated: () => AsyncIterable<Uint8Array> }[] = []
  let long: string | undefined
  for (let at = 0; at + block <= tar.size; ) {
    const header = await read(at, block)
    if (header[0] === 0) break
    const size = Number.parseInt(textOf(header, 124, 12).trim() || '0', 8)
    const kind = textOf(header, 156, 1)
    const start = at + block
    if (!(size >= 0) || !isTar(header) || start + size > tar.size) throw damaged()
    at = start + Math.ceil(size / block) * block
    if (kind === 'L' || kind === 'x') {
      if (size > longestName) throw damaged()
      const said = textOf(await read(start, size), 0, size)
      long = kind === 'L' ? said : (/(?:^|\n)\d{1,6} path=([^\n]*)\n/.exec(said)?.[1] ?? long)
    } else {
      const prefix = textOf(header, 345, 155)
      const path = long ?? `${prefix === '' ? '' : `${prefix}/`}${textOf(header, 0, 100)}`
      if (kind === '' || kind === '0')
        files.push({ path, inflated: () => chunksOf(tar.slice(start, start + size).stream()) })
      if (kind !== 'g') long = undefined
    }
    if (files.length > importLimits.files)
      throw new ImportError('too-many-files', { max: importLimits.files }, { file: name })
  }
  return files
}

/** A text in UTF-8 up to its first zero. */
function textOf(bytes: Uint8Array, from: number, length: number): string {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
}
