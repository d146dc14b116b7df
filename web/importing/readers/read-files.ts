import type { Imported, ImportFile, ImportOptions } from '../../engine/imported.ts'
import { createImport } from '../parsing/build-import.ts'
import { type ImportedFile, type Reader, unpackedFiles } from '../parsing/entries.ts'
import { type PlainCode, Refusal } from '../parsing/remarks.ts'
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

/** They are asked in this order: readers that know a program by its files come first. */
const readers: Record<string, Reader> = {
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
}

const examined = 200

/** Files that no reader recognises by their text. */
const isUnexamined = /\.(md|markdown|png|jpe?g|gif|webp|heic|svg|pdf|mp[34]|m4a|mov|docx?|xlsx?)$/i

/** Finds the source of files by what they contain, or refuses them. */
export async function recognised(files: readonly ImportFile[]) {
  const entries = await unpackedFiles(files)
  let count = 0
  for (const entry of entries)
    if (entry.zip === undefined || (!isUnexamined.test(entry.path) && count++ < examined)) await entry.begin()
  for (const [source, reader] of Object.entries(readers)) {
    const own = new Set(reader.finds(entries))
    if (own.size > 0)
      return { source, reader, own: [...own], others: entries.filter((entry) => !own.has(entry)) }
  }
  await refuse(entries)
  throw new Refusal('unknown-kind', { file: files[0]?.path ?? '' })
}

/**
 * Texts that no reader reads, by whatever is given: the path, the text, or for an archive a path inside it, after its own. The first that
 * fits is the kind.
 */
const otherKinds: { code: PlainCode; path?: RegExp; text?: RegExp; inside?: RegExp }[] = [
  { code: 'spreadsheet', inside: /\/xl\/workbook\.|\.numbers\/Index\// },
  { code: 'spreadsheet', inside: /\/mimetype$/, text: /opendocument\.spreadsheet/ },
  { code: 'word', inside: /\/word\/document\./ },
  { code: 'document', inside: /\/mimetype$/, text: /opendocument\.text/ },
  { code: 'document', inside: /\.pages\/Index\// },
  { code: 'rtf', text: /^\{\\rtf/ },
  { code: 'presentation', inside: /\/ppt\/presentation\.|\.key\/Index\// },
  { code: 'microsoft-to-do', text: /"wellknownListName"|graph\.todoTask/ },
  { code: 'trello', text: /"(?:idBoard|perBoard)"\s?:/ },
  { code: 'other-json', text: /^\s{0,99}[[{]/ },
  { code: 'notion-html', path: /[ _-][\da-f]{32}\.html?$/, text: /^\s{0,99}</ },
  { code: 'html', text: /^\s{0,99}<(?:!doctype html|html|head|body)\b/i },
  { code: 'other-xml', text: /^\s{0,99}<[?!a-z]/i },
]

/** Refuses the files if one of them is of a known kind or is no text. */
async function refuse(files: readonly ImportedFile[]) {
  const whole = files.length === 1 ? await files[0]?.text() : undefined
  for (const { code, path, text, inside } of otherKinds)
    for (const file of files) {
      const given = whole ?? file.beginning ?? ''
      const inner = file.zip === undefined ? '' : `${file.zip}/${file.path}`
      if ((path?.test(file.path) ?? true) && (text?.test(given) ?? true) && (inside?.test(inner) ?? true))
        throw new Refusal(code, { file: inside && file.zip ? file.zip : file.path })
    }
  await files[0]?.text()
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
