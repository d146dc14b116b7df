import type { ImportFile } from '../engine/imported.ts'
import { trustedAddress } from '../ui/trusted-types.ts'
import type { ReadAnswer, ReadRequest } from './import-worker.ts'
import workerAddress from './import-worker.ts?worker&url'
import { pastedName } from './parsing/entries.ts'

export const pastedFile = (text: string): ImportFile => ({
  path: pastedName,
  content: new Blob([text, '\n']),
})

/** Lets the person choose files, or a folder with all that is in it. */
export function chooseFiles(isFolder: boolean, take: (files: ImportFile[]) => void) {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', multiple: true, webkitdirectory: isFolder })
  input.onchange = () =>
    take(
      [...(input.files ?? [])].map((content) => ({
        path: content.webkitRelativePath || content.name,
        content,
      })),
    )
  input.click()
}

export async function droppedFiles(dropped: readonly (FileSystemEntry | File)[]): Promise<ImportFile[]> {
  const found: ImportFile[] = []
  const waiting = [...dropped]
  // A list that grows: folders may be in folders.
  for (const each of waiting)
    if (each instanceof File) found.push({ path: each.name, content: each })
    else if (each.isDirectory) waiting.push(...(await entriesIn(each as FileSystemDirectoryEntry)))
    else found.push({ path: each.fullPath.slice(1), content: await fileOf(each as FileSystemFileEntry) })
  return found
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    // A reading gives at most a hundred.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

const address = trustedAddress('import-worker', workerAddress)

/** Reads files beside the page. Rejects if it is aborted, or if the worker fails. */
export function readInWorker(request: ReadRequest, signal: AbortSignal): Promise<ReadAnswer> {
  const worker = new Worker(address, { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<ReadAnswer>()
  worker.addEventListener('message', ({ data }: MessageEvent<ReadAnswer>) => resolve(data))
  worker.addEventListener('error', ({ message }) => reject(new Error(message)))
  signal.addEventListener('abort', () => reject(signal.reason))
  worker.postMessage(request)
  return promise.finally(() => worker.terminate())
}
