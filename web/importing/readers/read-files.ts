import type { Imported, ImportFile, ImportOptions } from '../../engine/imported.ts'
import { createImport } from '../parsing/build-import.ts'
import { type Reader, type StartedFile, unpackedFiles } from '../parsing/entries.ts'
import { refuseTexts } from '../parsing/other-kinds.ts'
import { Refusal } from '../parsing/remarks.ts'
import { ticktick, todoist } from './csv-backups.ts'
import { daymark } from './daymark.ts'
import { evernote } from './evernote.ts'
import { icalendar } from './icalendar.ts'
import { markdown } from './markdown.ts'
import { joplin, keep, standardNotes } from './note-backups.ts'
import { notion } from './notion.ts'
import { table } from './table.ts'
import { googleTasks, vikunja } from './task-backups.ts'
import { outline, todoTxt } from './task-lines.ts'

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
  const [first] = started
  const whole = started.length === 1 ? await first?.text() : undefined
  refuseTexts(started.map(({ path, zip, beginning }) => ({ path, zip, text: whole ?? beginning })))
  // A file that is no text has a sentence of its own.
  await first?.text()
  throw new Refusal('unknown-kind', { file: files[0]?.path ?? '' })
}

/**
 * Reads files: returns what becomes of them. Nothing is sent. Throws a `Refusal`, whose message is a sentence, if they cannot be
 * read.
 */
export async function read(files: readonly ImportFile[], options: ImportOptions): Promise<Imported> {
  const { source, reader, own, others } = await recognised(files)
  const build = createImport(source, reader.label, options)
  await reader.read(own, build)
  for (const { path, odd } of own)
    for (const { row, text } of odd)
      build.remark(build.row({ file: path, row }, text, 'text'), 'other-encoding')
  for (const { path } of others) build.leaveOut(path)
  return build.finish()
}
