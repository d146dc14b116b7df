import type { ImportBuilder } from '../parsing/build-import.ts'
import type { ImportedFile } from '../parsing/entries.ts'

/** A file with the beginning of its text, which is undefined if it is no text or was not needed to recognise the files. */
export type StartedFile = ImportedFile & { beginning: string | undefined }

/** What reads the files of one program or format. */
export type Reader = {
  /** Its name, as people know it. */
  label: string
  /** Returns those of the files that it reads: none if they are of another kind. */
  finds(files: readonly StartedFile[]): StartedFile[]
  /** Adds the tasks and notes of the files, and a row of the preview for whatever they have. */
  read(files: readonly ImportedFile[], build: ImportBuilder): Promise<void>
}

/** The path of a text that was pasted. */
export const pastedName = 'Pasted text'

/** The name of a file without its folders and its ending. */
export const baseName = (path: string): string =>
  (path.split('/').at(-1) ?? '').replace(/(?<=.)\.\w{1,8}$/, '')

/** How many files are read at the same time: a small one mostly waits. */
const atOnce = 20

/** Yields the files with their texts, in their order. */
export async function* readTexts(
  files: readonly ImportedFile[],
): AsyncGenerator<{ path: string; text: string }> {
  for (let start = 0; start < files.length; start += atOnce) {
    const some = files.slice(start, start + atOnce)
    const texts = await Promise.all(some.map((file) => file.text()))
    for (const [index, { path }] of some.entries()) yield { path, text: texts[index] as string }
  }
}
