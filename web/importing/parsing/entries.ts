import type { ImportFile } from '../../engine/imported.ts'
import { chunksOf, filesOfTar, filesOfZip, gunzipped, isGzip, isTar, isZip } from './archives.ts'
import type { ImportBuilder } from './build-import.ts'
import { decodedText } from './decoded-text.ts'
import { importLimits, Refusal } from './remarks.ts'

/** A file of an import, which may be in an archive. It is read when it is needed. */
export type ImportedFile = {
  path: string
  /** The outer archive that contains it. */
  zip: string | undefined
  /** The beginning of its text, or undefined if it is no text or was not needed to recognise the files. */
  beginning?: string | undefined
  begin(): Promise<void>
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
  if (files.length === 0) throw new Refusal('no-files', { file: '' })
  const entries: ImportedFile[] = []
  let bytes = 0

  /** Reads a source up to a number of bytes. Counts them, so that many small files have a limit too. */
  async function readBytes(source: AsyncIterable<Uint8Array>, path: string, max: number) {
    const parts: Uint8Array<ArrayBuffer>[] = []
    let size = 0
    for await (const part of source) {
      size += part.length
      bytes += part.length
      const limit = size > importLimits.fileBytes ? importLimits.fileBytes : importLimits.bytes
      if (size > importLimits.fileBytes || bytes > importLimits.bytes)
        throw new Refusal('too-large', { file: path }, limit)
      parts.push(part as Uint8Array<ArrayBuffer>)
      if (size >= max) break
    }
    const [only] = parts
    return parts.length === 1 && only ? only : new Uint8Array(await new Blob(parts).arrayBuffer())
  }

  function add(path: string, source: () => AsyncIterable<Uint8Array>, zip?: string) {
    if (isOfSystem(path)) return
    if (entries.length >= importLimits.files)
      throw new Refusal('too-many-files', { file: zip ?? path }, importLimits.files)
    const entry: ImportedFile = {
      path,
      zip,
      odd: [],
      async begin() {
        const start = await readBytes(source(), path, startBytes)
        try {
          entry.beginning = decodedText(start.subarray(0, startBytes), path, true)
        } catch {
          // It is no text.
        }
      },
      async text() {
        const bytes = await readBytes(source(), path, Number.POSITIVE_INFINITY)
        return decodedText(bytes, path, false, (lines) => {
          entry.odd = lines
        })
      },
    }
    entries.push(entry)
  }

  const whole = async (source: AsyncIterable<Uint8Array>, path: string) =>
    new Blob([await readBytes(source, path, Number.POSITIVE_INFINITY)])

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

export type Reader = {
  /** Its name, as people know it. */
  label: string
  /** Returns those of the files that it reads: none if they are of another kind. */
  finds(files: readonly ImportedFile[]): ImportedFile[]
  /** Adds the tasks and notes of the files, and a row of the preview for whatever they have. */
  read(files: readonly ImportedFile[], build: ImportBuilder): Promise<void>
}

export const beginningWith =
  (pattern: RegExp): Reader['finds'] =>
  (files) =>
    files.filter(({ beginning = '' }) => pattern.test(beginning))

export const eachText =
  (read: (text: string, path: string, build: ImportBuilder) => void): Reader['read'] =>
  async (files, build) => {
    for (const file of files) read(await file.text(), file.path, build)
  }

export const pastedName = 'Pasted text'

/** The folder of a file, which ends with a slash. */
export const folderOf = (path: string): string => path.replace(/[^/]*$/, '')

export const isBeside = (file: ImportedFile, other: ImportedFile): boolean =>
  file.zip === other.zip && file.path.startsWith(folderOf(other.path))

export const baseName = (path: string) => (path.split('/').at(-1) ?? '').replace(/(?<=.)\.\w{1,8}$/, '')

/** How many files are read at the same time: a small one mostly waits. */
const atOnce = 20

export async function* readTexts(files: readonly ImportedFile[]) {
  for (let start = 0; start < files.length; start += atOnce) {
    const some = files.slice(start, start + atOnce)
    const texts = await Promise.all(some.map((file) => file.text()))
    for (const [index, { path }] of some.entries()) yield { path, text: texts[index] as string }
  }
}
