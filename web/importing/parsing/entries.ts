import { decodedText } from './decoded-text.ts'
import { ImportError } from './import-codes.ts'
import { importLimits } from './import-limits.ts'
import type { ImportFile } from './imported.ts'
import { filesOfTar, gunzipped, isGzip, isTar } from './tar.ts'
import { chunksOf, filesOfZip, isZip } from './zip.ts'

/** A file of an import, which may be in an archive. It is read when it is needed. */
export type ImportedFile = {
  path: string
  /** The outer archive that contains it. */
  zip?: string
  /** The beginning of its text, or undefined if it is no text. */
  start(): Promise<string | undefined>
  text(): Promise<string>
  /** The lines with letters in another encoding than the others, after the text was read. */
  odd: { row: number; text: string }[]
}

const startBytes = 4096

/** Files that no program of tasks or notes writes, and that every folder on a Mac or in Windows may have. */
const isOfSystem = (path: string) => /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(path)

/** As many bytes say what an archive is. */
const startOfArchive = 512
const isArchiveName = /\.(zip|tar|tgz|gz|jex)$/i

/** Returns the files, those in archives in place of these, to two levels. */
export async function unpackedFiles(files: readonly ImportFile[]): Promise<ImportedFile[]> {
  if (files.length === 0) throw new ImportError('no-files', {}, { file: '' })
  const entries: ImportedFile[] = []
  let bytes = 0

  /** Reads a source up to a number of bytes. Counts them, so that many small files have a limit too. */
  async function readBytes(source: AsyncIterable<Uint8Array>, path: string, max: number) {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of source) {
      size += part.length
      bytes += part.length
      const limit = size > importLimits.fileBytes ? importLimits.fileBytes : importLimits.bytes
      if (size > importLimits.fileBytes || bytes > importLimits.bytes)
        throw new ImportError('too-large', { max: limit }, { file: path })
      parts.push(part)
      if (size >= max) break
    }
    return joined(parts, size)
  }

  function add(path: string, source: () => AsyncIterable<Uint8Array>, zip?: string) {
    if (isOfSystem(path)) return
    if (entries.length >= importLimits.files)
      throw new ImportError('too-many-files', { max: importLimits.files }, { file: zip ?? path })
    const odd: ImportedFile['odd'] = []
    entries.push({
      path,
      odd,
      ...(zip !== undefined && { zip }),
      async start() {
        const start = await readBytes(source(), path, startBytes)
        try {
          return decodedText(start.subarray(0, startBytes), path, true)
        } catch (error) {
          if (error instanceof ImportError && ['not-text', 'other-archive'].includes(error.code))
            return undefined
          throw error
        }
      },
      async text() {
        const bytes = await readBytes(source(), path, Number.POSITIVE_INFINITY)
        return decodedText(bytes, path, false, (lines) => odd.splice(0, odd.length, ...lines))
      },
    })
  }

  const whole = async (source: AsyncIterable<Uint8Array>, path: string) =>
    new Blob([(await readBytes(source, path, Number.POSITIVE_INFINITY)) as Uint8Array<ArrayBuffer>])

  /** Adds the files of an archive, or returns false if it is none. The archives in it are opened if it is the outer one. */
  async function addArchive(content: Blob, path: string, zip: string, depth: number): Promise<boolean> {
    const start = new Uint8Array(await content.slice(0, startOfArchive).arrayBuffer())
    if (isGzip(start)) {
      const inner = await whole(gunzipped(content, path), path)
      const name = path.replace(/\.gz$/i, '')
      if (!isTar(new Uint8Array(await inner.slice(0, startOfArchive).arrayBuffer())))
        add(name, () => chunksOf(inner.stream()), zip)
      else await addArchive(inner, path, zip, depth)
      return true
    }
    if (!isZip(start) && !isTar(start)) return false
    for (const file of await (isZip(start) ? filesOfZip : filesOfTar)(content, path)) {
      const isInner = depth === 1 && isArchiveName.test(file.path) && !isOfSystem(file.path)
      const inner = isInner ? await whole(file.inflated(), file.path) : undefined
      if (!inner || !(await addArchive(inner, file.path, zip, depth + 1))) add(file.path, file.inflated, zip)
    }
    return true
  }

  for (const { path, content } of files)
    if (!(await addArchive(content, path, path, 1))) add(path, () => chunksOf(content.stream()))
  return entries
}

function joined(parts: Uint8Array[], size: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
