import { createHash, hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportFormat } from '#contract/exports.ts'
import { cursorOf } from '../changes/change-log.ts'
import type { Kind } from '../changes/item-kind.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { noteKind } from '../notes/note-kind.ts'
import { taskKind } from '../tasks/task-kind.ts'
import { findSettings } from '../users/settings-queries.ts'
import {
  changeLine,
  changeRows,
  itemLine,
  itemRows,
  type Line,
  versionLine,
  versionRows,
} from './exported-rows.ts'
import { noteFileNames } from './note-file-names.ts'
import { readMe } from './read-me.ts'
import { pagesOf, type Reader, type Rows, readUntil } from './row-pages.ts'
import { createZipArchive, ZipEntry } from './zip.ts'

export type Counts = Record<'tasks' | 'notes' | 'versions' | 'deleted' | 'history', number>

type Options = {
  signal: AbortSignal
  /** Called with what was written, in percent. Less than 100 until the end. */
  onProgress?(percent: number): void
}

/**
 * Writes all data of an account as a zip, as it is at one cursor. Nothing is held but a page of rows, and the names and checksums of
 * files. Resolves when the output has taken all of it.
 */
export async function writeExport(
  database: Database,
  owner: string,
  output: Writable,
  { signal, onProgress }: Options,
): Promise<Counts> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  return await database.snapshot(async (db) => {
    const reader = readUntil(either)
    const counts: Counts = { tasks: 0, notes: 0, versions: 0, deleted: 0, history: 0 }
    try {
      await pipeline(createZipArchive(entriesOf(db, owner, reader, counts, onProgress)), output, {
        signal: either,
      })
      return counts
    } finally {
      stop.abort()
      await reader.ended()
    }
  })
}

async function* entriesOf(
  db: Db,
  owner: string,
  reader: Reader,
  counts: Counts,
  onProgress: Options['onProgress'],
): AsyncGenerator<ZipEntry> {
  const modified = new Date()
  const head = await reader.run(() => findHead(db, owner))
  const settings = await reader.run(() => findSettings(db, owner))
  const files: { name: string; bytes: number; sha256: string }[] = []
  let stored = 0

  const file = (name: string, parts: AsyncIterable<Buffer> | Iterable<Buffer>) =>
    ZipEntry.createStream(name, summed(name, parts), { modified })

  async function* summed(name: string, parts: AsyncIterable<Buffer> | Iterable<Buffer>) {
    const sum = createHash('sha256')
    let bytes = 0
    for await (const part of parts) {
      sum.update(part)
      bytes += part.length
      yield part
    }
    files.push({ name, bytes, sha256: sum.digest('hex') })
  }

  /** Uncompressed: the archive keeps 65 kB of each compressed entry until its end, and there may be ten thousand. */
  function storedFile(name: string, content: Buffer) {
    files.push({ name, bytes: content.length, sha256: hash('sha256', content) })
    return ZipEntry.create(name, content, { modified, method: 'store' })
  }

  const lines = <Key, Row>(count: keyof Counts, rows: Rows<Key, Row>, lineOf: (row: Row) => Line) =>
    pagesOf(reader, rows, (page) => {
      let text = ''
      for (const row of page) {
        const line = lineOf(row)
        text += `${JSON.stringify(line.value)}\n`
        stored += line.stored
      }
      counts[count] += page.length
      onProgress?.(Math.min(99, Math.floor((100 * stored) / Math.max(1, head.stored_bytes))))
      return Buffer.from(text)
    })

  async function* deletedLines() {
    for (const kind of [taskKind, noteKind] as Kind[])
      yield* lines('deleted', itemRows(db, owner, kind, true), (row) => {
        const { value, stored } = itemLine(kind, row)
        return { value: { kind: kind.name, item: value }, stored }
      })
  }

  yield file('README.md', [Buffer.from(readMe)])
  yield file('settings.jsonl', [Buffer.from(`${JSON.stringify(settings)}\n`)])
  yield file(
    'tasks.jsonl',
    lines('tasks', itemRows(db, owner, taskKind, false), (row) => itemLine(taskKind, row)),
  )
  yield file(
    'notes.jsonl',
    lines('notes', itemRows(db, owner, noteKind, false), (row) => itemLine(noteKind, row)),
  )
  yield file('versions.jsonl', lines('versions', versionRows(db, owner), versionLine))
  yield file('deleted.jsonl', deletedLines())
  yield file('history.jsonl', lines('history', changeRows(db, owner), changeLine))

  const nameOf = noteFileNames()
  const texts = pagesOf(reader, itemRows(db, owner, noteKind, false), (page) =>
    page.map(({ title, text }) => ({ name: nameOf(String(title)), text: Buffer.from(String(text)) })),
  )
  for await (const page of texts)
    for (const { name, text } of page) yield await storedFile(`notes/${name}`, text)

  // Some engines read several nodes, and a state of one of these alone would be no state of the account.
  if ((await reader.run(() => findHead(db, owner))).head !== head.head)
    throw new Error('the database has no snapshot: the account was changed during its export')
  const manifest = {
    ...{ format: 'daymark', formatVersion: exportFormat.version, readBy: exportFormat.readBy },
    ...{ exportedAt: modified.toISOString(), cursor: cursorOf(head), counts, files },
  }
  yield file('manifest.json', [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)])
}

async function findHead(db: Db, owner: string) {
  const head = await db
    .selectFrom('users')
    .select(['seq', 'head', 'stored_bytes'])
    .where('id', '=', owner)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!head) throw new HttpError('account-gone')
  return head
}
