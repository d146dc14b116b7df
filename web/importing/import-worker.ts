import type { Imported, ImportFile, ImportOptions } from '../engine/imported.ts'
import { isDayFirstIn } from './parsing/days.ts'
import { Refusal } from './parsing/remarks.ts'
import { read } from './readers/read-files.ts'

export type ReadRequest = { files: readonly ImportFile[]; options: ImportOptions }

/** `failure`: why the files cannot be read. `error`: what nobody has expected. */
export type ReadAnswer = { imported: Imported } | { failure: string } | { error: string }

/** Reads the files of one message. The page ends this worker when it has its answer, or when the person wants another one. */
addEventListener('message', async ({ data: { files, options } }: MessageEvent<ReadRequest>) => {
  postMessage(await answerOf(files, options))
})

async function answerOf(files: readonly ImportFile[], options: ImportOptions): Promise<ReadAnswer> {
  try {
    return { imported: await read(files, { isDayFirstHere: isDayFirstIn(navigator.language), ...options }) }
  } catch (error) {
    if (error instanceof Refusal) return { failure: error.message }
    // The file was moved, changed or removed after it was chosen.
    if (error instanceof DOMException) return { failure: 'A file cannot be read any more. Choose it again.' }
    return { error: String(error) }
  }
}
