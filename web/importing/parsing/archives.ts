import { importLimits, Refusal } from './remarks.ts'

/** A file in an archive. `inflated` yields its bytes, which may be more or fewer than the archive says. */
type ArchivedFile = { path: string; inflated(): AsyncIterable<Uint8Array> }

const signatures = {
  file: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Place: 0x07064b50,
}

/** Files up to this size are read at once, with the additions of their header. */
const smallFile = 65_536
const maxExtra = 256

/** The end of a zip with the longest comment. */
const endLength = 22 + 65_535

/** Whether a file begins like a zip, or is an empty one. */
export const isZip = (start: Uint8Array): boolean =>
  start.length >= 4 && [signatures.file, signatures.end].includes(viewOf(start).getUint32(0, true))

/** Returns the files of a zip by its central directory, the only part that names what belongs to it. */
export async function filesOfZip(zip: Blob, name: string): Promise<ArchivedFile[]> {
  const damaged = () => new Refusal('damaged-zip', { file: name })
  const read = async (from: number, to: number) => {
    if (!(from >= 0 && to >= from && to <= zip.size)) throw damaged()
    return viewOf(new Uint8Array(await zip.slice(from, to).arrayBuffer()))
  }

  const { count, from, length } = await findDirectory()
  if (count > importLimits.files) throw new Refusal('too-many-files', { file: name }, importLimits.files)
  const directory = await read(from, from + length)
  const files: ArchivedFile[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== signatures.entry) throw damaged()
    const field = (place: number) => directory.getUint16(at + place, true)
    const [flags, method, nameLength, extraLength] = [field(8), field(10), field(28), field(30)]
    if (at + 46 + nameLength + extraLength > directory.byteLength) throw damaged()
    const path = pathOf(bytesIn(directory, at + 46, nameLength))
    const { stored, offset } = sizesAt(directory, at, nameLength, extraLength)
    at += 46 + nameLength + extraLength + field(32)
    if (path.endsWith('/')) continue
    const place = { file: `${name}/${path}` }
    files.push({
      path,
      async *inflated() {
        if ((flags & 1) !== 0) throw new Refusal('encrypted-zip', place)
        if (method !== 0 && method !== 8) throw new Refusal('unknown-compression', place)
        // The header names the file again, with other additions than in the directory. One reading has all of a small file.
        const first = await read(
          offset,
          Math.min(zip.size, offset + 30 + nameLength + maxExtra + Math.min(stored, smallFile)),
        )
        if (first.byteLength < 30 || first.getUint32(0, true) !== signatures.file)
          throw new Refusal('damaged-zip', place)
        const from = 30 + first.getUint16(26, true) + first.getUint16(28, true)
        if (offset + from + stored > zip.size) throw new Refusal('damaged-zip', place)
        const isWhole = from + stored <= first.byteLength
        const bytes = isWhole && bytesIn(first, from, stored)
        if (bytes && method === 0) {
          yield bytes
          return
        }
        const content = zip.slice(offset + from, offset + from + stored).stream()
        const stream =
          method === 0 ? content : bytes ? decompressed(bytes) : content.pipeThrough(decompression())
        try {
          yield* chunksOf(stream)
        } catch (error) {
          throw error instanceof TypeError ? new Refusal('damaged-zip', place) : error
        }
      },
    })
  }
  return files

  async function findDirectory() {
    const start = Math.max(0, zip.size - endLength)
    const tail = await read(start, zip.size)
    let end = tail.byteLength - 22
    while (end >= 0 && tail.getUint32(end, true) !== signatures.end) end--
    if (end < 0) throw damaged()
    const plain = {
      count: tail.getUint16(end + 10, true),
      length: tail.getUint32(end + 12, true),
      from: tail.getUint32(end + 16, true),
    }
    const place = end - 20
    if (place < 0 || tail.getUint32(place, true) !== signatures.zip64Place) return plain
    const at = Number(tail.getBigUint64(place + 8, true))
    const large = await read(at, at + 56)
    if (large.getUint32(0, true) !== signatures.zip64End) throw damaged()
    const [count, length, from] = [32, 40, 48].map((each) => Number(large.getBigUint64(each, true)))
    return { count, length, from } as typeof plain
  }
}

/** The sizes of an entry and where it is, of 64 bits if it has an extra field for them. */
function sizesAt(directory: DataView, at: number, nameLength: number, extraLength: number) {
  const [size, stored, offset] = [24, 20, 42].map((place) => directory.getUint32(at + place, true))
  const sizes = { size, stored, offset } as { size: number; stored: number; offset: number }
  const end = at + 46 + nameLength + extraLength
  for (let field = end - extraLength; field + 4 <= end; ) {
    const [id, length] = [directory.getUint16(field, true), directory.getUint16(field + 2, true)]
    const last = Math.min(field + 4 + length, end)
    let value = field + 4
    for (const key of ['size', 'stored', 'offset'] as const)
      if (id === 1 && sizes[key] === 0xffffffff && value + 8 <= last) {
        sizes[key] = Number(directory.getBigUint64(value, true))
        value += 8
      }
    field += 4 + length
  }
  return sizes
}

/** The parts of a stream, which is cancelled if not all of them are read. Not every browser iterates streams. */
export async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const pathOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll('\\', '/')

const decompression = () => new DecompressionStream('deflate-raw')

/** A pipe from a stream takes three times as long for a small file. */
function decompressed(bytes: Uint8Array<ArrayBuffer>) {
  const { readable, writable } = decompression()
  const writer = writable.getWriter()
  // The reader gets the error.
  writer.write(bytes).catch(() => {})
  writer.close().catch(() => {})
  return readable
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const bytesIn = (view: DataView, from: number, length: number) =>
  new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + from, length)

const block = 512
/** Headers of small files are read together. */
const windowLength = 1_048_576
const longestName = 65_536

/** Whether a file begins like a tar, which Joplin calls JEX. */
export const isTar = (start: Uint8Array): boolean => textOf(start, 257, 5) === 'ustar'

export const isGzip = (start: Uint8Array): boolean => start[0] === 0x1f && start[1] === 0x8b

export async function* gunzipped(bytes: Blob, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunksOf(bytes.stream().pipeThrough(new DecompressionStream('gzip')))
  } catch (error) {
    throw error instanceof TypeError ? new Refusal('damaged-archive', { file: name }) : error
  }
}

/** Returns the files of a tar, with the long names of GNU and POSIX. */
export async function filesOfTar(tar: Blob, name: string) {
  const damaged = () => new Refusal('damaged-archive', { file: name })
  let [from, near] = [0, new Uint8Array()]
  async function read(at: number, length: number): Promise<Uint8Array> {
    if (at + length > tar.size) throw damaged()
    if (at < from || at + length > from + near.length) {
      from = at
      near = new Uint8Array(await tar.slice(at, at + Math.max(length, windowLength)).arrayBuffer())
    }
    return near.subarray(at - from, at - from + length)
  }
  const files: ArchivedFile[] = []
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
      throw new Refusal('too-many-files', { file: name }, importLimits.files)
  }
  return files
}

/** A text in UTF-8 up to its first zero. */
function textOf(bytes: Uint8Array, from: number, length: number): string {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
}
