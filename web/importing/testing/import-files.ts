import { createZipArchive, ZipEntry } from 'node:zlib'
import type { Imported, ImportFile, ImportOptions } from '../../engine/imported.ts'
import { Refusal } from '../parsing/remarks.ts'
import { read } from '../readers/read-files.ts'

export const options: ImportOptions = {
  ...{ account: '01a1fbec-df28-741d-85d9-08c2d1fcac18', zone: 'Europe/Berlin' },
  now: new Date('2026-11-26T12:00Z'),
}

export const file = (path: string, ...parts: BlobPart[]): ImportFile => ({ path, content: new Blob(parts) })

/** A zip as programs write it. */
export async function zip(path: string, files: { [name: string]: string | Uint8Array }): Promise<ImportFile> {
  const entries = Object.entries(files).map(([name, text]) => ZipEntry.createSync(name, Buffer.from(text)))
  const parts: BlobPart[] = []
  for await (const part of createZipArchive(entries)) parts.push(part as Uint8Array<ArrayBuffer>)
  return file(path, ...parts)
}

/** Each task as `Title | its values | body`. A repeat counts from its due day, unless another day is said. */
export const tasksIn = ({ tasks }: Imported): string[] =>
  tasks.map((task) => {
    const { title, body, dueDate, dueTime, priority, repeat, repeatDay, repeatFrom } = task
    const from = repeatDay === (repeat && dueDate) ? '' : `from ${repeatDay}`
    const rule = [repeat, from, repeatFrom === 'done' && 'after done']
    const { reminders, list, tags, doneAt } = task
    const sorted = [list && `in ${list}`, ...tags.map((tag) => `#${tag}`)]
    const more = [reminders && `remind ${reminders}`, ...sorted, doneAt && `done ${doneAt}`]
    const values = [dueDate, dueTime, priority, ...rule, ...more].filter(Boolean).join(' ')
    return [title, values, body].join(' | ').replace(/ \| $/, '')
  })

/** The sentences of what was left out or changed. */
export const remarksOf = ({ rows }: Imported): string[] => rows.flatMap(({ remarks }) => remarks)

/** The sentence with which an import is refused. Another error is none. */
export async function refusalOf(...files: ImportFile[]): Promise<string | undefined> {
  try {
    await read(files, options)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message
  }
}
