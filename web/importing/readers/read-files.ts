import { createImport } from '../parsing/build-import.ts'
import { positionIn } from '../parsing/decoded-text.ts'
import { unpackedFiles } from '../parsing/entries.ts'
import { ImportError } from '../parsing/import-codes.ts'
import type { Imported, ImportFile, ImportOptions } from '../parsing/imported.ts'
import { daymark } from './daymark.ts'
import { evernote } from './evernote.ts'
import { googleTasks, keep } from './google-takeout.ts'
import { icalendar } from './icalendar.ts'
import { joplin } from './joplin.ts'
import { markdown } from './markdown.ts'
import { notion } from './notion.ts'
import { outline } from './outline.ts'
import type { Reader, StartedFile } from './reader.ts'
import { standardNotes } from './standard-notes.ts'
import { table } from './table.ts'
import { ticktick } from './ticktick.ts'
import { todoTxt } from './todo-txt.ts'
import { todoist } from './todoist.ts'
import { vikunja } from './vikunja.ts'

/** The readers in the order in which they are asked: those that know a program by its files come first. A new one is a line here and a file. */
const readers = {
  daymark,
  todoist,
  ticktick,
  googleTasks,
  vikunja,
  icalendar,
  keep,
  standardNotes,
  evernote,
  joplin,
  notion,
  todoTxt,
  outline,
  table,
  markdown,
} satisfies Record<string, Reader>

type SourceName = keyof typeof readers

/** The name of a source, as people know it. */
export const sourceLabelOf = (source: SourceName): string => readers[source].label

/** How many files of a zip are examined to recognise what it is. */
const examined = 200

/** Files that no reader recognises by their text. */
const isUnexamined = /\.(md|markdown|png|jpe?g|gif|webp|heic|svg|pdf|mp[34]|m4a|mov|docx?|xlsx?)$/i

/** Finds the source of files by what they contain, or refuses them. */
export async function recognised(files: readonly ImportFile[]) {
  const entries = await unpackedFiles(files)
  const started: StartedFile[] = []
  let count = 0
  for (const entry of entries) {
    const isExamined = entry.zip === undefined || (!isUnexamined.test(entry.path) && count++ < examined)
    started.push({ ...entry, beginning: isExamined ? await entry.start() : undefined })
  }
  for (const [source, reader] of Object.entries(readers) as [SourceName, Reader][]) {
    const own = new Set(reader.finds(started))
    if (own.size > 0)
      return { source, reader, own: [...own], others: started.filter((entry) => !own.has(entry)) }
  }
  const [first] = files as [ImportFile, ...ImportFile[]]
  // A file that is no text has a sentence of its own.
  const text = started.length === 1 ? await started[0]?.text() : undefined
  const declared = text === undefined ? -1 : text.search(/<!(DOCTYPE|ENTITY)/i)
  if (text !== undefined && declared >= 0)
    throw new ImportError('doctype-refused', {}, { file: first.path, ...positionIn(text, declared) })
  throw new ImportError('unknown-kind', {}, { file: first.path })
}

export type ReadImport = Imported & { source: SourceName }

/**
 * Reads files: returns what becomes of them. Nothing is sent. Throws an `ImportError`, whose message is a sentence, if they cannot be
 * read.
 */
export async function read(files: readonly ImportFile[], options: ImportOptions): Promise<ReadImport> {
  const { source, reader, own, others } = await recognised(files)
  const build = createImport(source, options)
  await reader.read(own, build)
  for (const { path, odd } of own)
    for (const { row, text } of odd) {
      const at = build.row({ file: path, row }, text, 'text')
      build.remark(at, 'other-encoding', {})
    }
  for (const { path } of others) build.remark(build.row({ file: path }, path), 'file-left-out', {})
  return { ...build.finish(), source }
}
