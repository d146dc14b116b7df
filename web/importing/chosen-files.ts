import type { ImportFile } from './parsing/imported.ts'
import { pastedName } from './readers/reader.ts'

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

/** The files of a drop, also those in folders. */
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
