import { isDayFirstIn } from './parsing/days.ts'
import { ImportError } from './parsing/import-codes.ts'
import type { ImportFile, ImportOptions } from './parsing/imported.ts'
import { type ReadImport, read, sourceLabelOf } from './readers/read-files.ts'

export type ReadRequest = { files: readonly ImportFile[]; options: ImportOptions }

/** `label`: the name of the program or format. */
export type ShownImport = ReadImport & { label: string }

/** `refusal`: why the files cannot be read. `error`: what nobody has expected. */
export type ReadAnswer = { imported: ShownImport } | { refusal: string } | { error: string }

/** Reads the files of one message. The page ends this worker when it has its answer, or when the person wants another one. */
addEventListener('message', async ({ data: { files, options } }: MessageEvent<ReadRequest>) => {
  postMessage(await answerOf(files, options))
})

async function answerOf(files: readonly ImportFile[], options: ImportOptions): Promise<ReadAnswer> {
  try {
    const imported = await read(files, { isDayFirstHere: isDayFirstIn(navigator.language), ...options })
    return { imported: { ...imported, label: sourceLabelOf(imported.source) } }
  } catch (error) {
    if (error instanceof ImportError) return { refusal: error.message }
    // The file was moved, changed or removed after it was chosen.
    if (error instanceof DOMException) return { refusal: 'A file cannot be read any more. Choose it again.' }
    return { error: String(error) }
  }
}
