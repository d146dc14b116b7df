import { dueDates } from '#contract/limits.ts'
import type { ImportedRow, SourcePlace } from '../../engine/imported.ts'

/** What one import reads at most. An account has 100,000 tasks and 10,000 notes. */
export const importLimits = {
  /** The bytes of all files after decompression. */
  bytes: 536_870_912,
  /** The bytes of one file after decompression: texts of this size fit into a string of every browser. */
  fileBytes: 134_217_728,
  files: 50_000,
  rows: 200_000,
  columns: 500,
  /** Levels of JSON, and of components. */
  depth: 100,
}

/** Why a file cannot be read, and what was left out or changed in an item. `at`: the place. */
const sentences = {
  // The whole import is refused.
  'unknown-kind': (at) => `Daymark cannot read ${at}: it is none of the files that can be imported.`,
  'no-files': () => 'There is no file to import.',
  'not-text': (at) => `This is not a text: it has a character that no text contains in ${at}.`,
  'other-archive': (at) =>
    `Daymark opens zips and tars to two levels, and no other archives. Unpack ${at}, and choose its folder.`,
  'quote-not-closed': (at) => `A quotation mark is never closed. It begins in ${at}.`,
  'text-after-quote': (at) =>
    `Text follows a closing quotation mark in ${at}. A quotation mark inside a value must be doubled.`,
  'too-many-rows': (at, max: number) =>
    `There are more than ${inDigits(max)} rows, as many as one import reads, from ${at} on.`,
  'too-many-columns': (at, max: number) => `There are more than ${inDigits(max)} columns in ${at}.`,
  'too-large': (at, max: number) =>
    `The files have more than ${inDigits(max)} bytes, as many as one import reads, from ${at} on.`,
  'too-many-files': (at, max: number) =>
    `There are more than ${inDigits(max)} files in ${at}, as many as one import reads.`,
  'too-deep': (at, max: number) => `More than ${inDigits(max)} levels are inside each other in ${at}.`,
  'damaged-zip': (at) => `The zip is damaged in ${at}.`,
  'damaged-archive': (at) => `The archive ${at} is damaged.`,
  'encrypted-zip': (at) => `The zip has a password: ${at} cannot be read.`,
  'unknown-compression': (at) => `The zip has a compression that is not supported, in ${at}.`,
  'not-json': (at) => `The file is not valid JSON in ${at}.`,
  'no-task-lists': (at) => `The file does not have lists of tasks in ${at}.`,
  'no-projects': (at) => `The file does not have projects in ${at}.`,
  'no-items': (at) => `The file does not have items in ${at}.`,
  'not-a-note': (at) => `The file does not have a note in ${at}.`,
  'not-an-object': (at) => `The file does not have an object in ${at}.`,
  'not-an-item': (at) => `The file does not have an item in ${at}.`,
  'not-of-an-export': (at, name: string) =>
    `The file does not have a value of ${name} that Daymark exports in ${at}.`,
  'later-export': (_, version: string | undefined) =>
    version === undefined
      ? 'This export was made by a later version of Daymark, and this version cannot read it.'
      : `This export was made by a later version of Daymark. Version ${version} or a later one can read it.`,
  'repeated-id': (at) => `The id in ${at} is also that of another task or note of the files.`,
  'component-not-closed': (at, name: string) => `A ${name} that begins in ${at} has no end.`,
  'no-title-column': (at) => `No column of ${at} is chosen for the title.`,

  // The file is of a kind that no reader reads.
  spreadsheet: (at) => `The file ${at} is a spreadsheet. Save it as CSV, and choose that file.`,
  word: (at) =>
    `The file ${at} is a Word document. Save it as plain text (.txt) or Markdown, and choose that file.`,
  document: (at) =>
    `The file ${at} is a text document. Save it as plain text (.txt) or Markdown, and choose that file.`,
  rtf: (at) =>
    `The file ${at} is a text document (RTF). Save it as plain text (.txt) or Markdown, and choose that file.`,
  presentation: (at) =>
    `The file ${at} is a presentation. Choose a file that has the text, such as CSV, ICS or Markdown.`,
  office: (at) =>
    `The file ${at} is an Office document. Export the tasks or notes as CSV, ICS, Markdown or plain text, and choose that file.`,
  pdf: (at) => `The file ${at} is a PDF. Save its text as plain text (.txt), and choose that file.`,
  picture: (at) =>
    `The file ${at} is a picture. Choose a file that has the text, such as CSV, ICS or Markdown.`,
  recording: (at) =>
    `The file ${at} is a recording. Choose a file that has the text, such as CSV, ICS or Markdown.`,
  onenote: (at) =>
    `The file ${at} is a notebook of OneNote. Copy the text of its pages into text files (.txt), and choose these files.`,
  'apple-notes': (at) =>
    `The file ${at} is the database of Apple Notes. Export the notes as Markdown in Apple Notes, and choose these files.`,
  sqlite: (at) =>
    `The file ${at} is a database (SQLite). Export the tasks or notes as CSV, ICS, Markdown or plain text, and choose that file.`,
  outlook: (at) =>
    `The file ${at} is a data file of Outlook and Microsoft To Do. Export the tasks as CSV in Outlook, and choose that file.`,
  'microsoft-to-do': (at) =>
    `The file ${at} is a backup of Microsoft To Do. Export the tasks as CSV in Outlook, and choose that file.`,
  trello: (at) =>
    `The file ${at} is a backup of Trello. Export the board as CSV in Trello, and choose that file.`,
  'other-json': (at) =>
    `The file ${at} is JSON of a program that Daymark does not know. Export the tasks or notes as CSV, ICS, Markdown or plain text, and choose that file.`,
  'notion-html': (at) =>
    `The file ${at} is a page of Notion in HTML. Export it as “Markdown & CSV” in Notion, and choose that zip.`,
  html: (at) =>
    `The file ${at} is a page of the web (HTML). Export the tasks or notes as CSV, ICS, Markdown or plain text, and choose that file.`,
  'other-xml': (at) =>
    `The file ${at} is XML of a program that Daymark does not know. Export the tasks or notes as CSV, ICS, Markdown or plain text, and choose that file.`,

  // Something of an item was left out or changed.
  'file-left-out': (at) => `The file ${at} was left out.`,
  'not-a-property': (at) => `This was left out: ${at} is not a line of a calendar.`,
  'encrypted-note': () => 'The text of this note is encrypted. It was left out.',
  'attachment-left-out': (_, name: string) =>
    `The attachment ${name} was left out. Its place is kept in the text.`,
  'repeat-as-text': (_, repeat: string) =>
    `Daymark cannot repeat a task so: ${repeat}. This is a line of the body.`,
  'repeat-added': (_, repeat: string) =>
    `A task of Daymark has one rule and no days beside it. ${repeat} is a line of the body.`,
  'repeat-comes-again': (_, days: string) =>
    `The file has tasks of their own for later days of this repeat. It comes on these days, too: ${days}.`,
  'unknown-zone': (_, zone: string) =>
    `The time zone ${zone} is not known. The time is as it is on the clock of the file.`,
  'day-as-text': (_, day: string) => `This is not a day that can be read: ${day}. It is a line of the body.`,
  'day-outside-range': (_, day: string) =>
    `Days are from ${dueDates.min} to ${dueDates.max}. ${day} is a line of the body.`,
  'day-of-part': (_, day: string) => `A checkbox has no due date. ${day} is in its text.`,
  'repeat-without-day': (_, repeat: string) =>
    `A task without a due date cannot repeat. ${repeat} is a line of the body.`,
  'repeat-of-done': (_, repeat: string) => `A done task does not repeat. ${repeat} is a line of the body.`,
  'reminder-left-out': (_, reminder: string) => `The reminder ${reminder} was left out.`,
  'value-left-out': (_, name: string, value: string) => `${name} was left out: ${value}.`,
  'blank-row': () => 'The row is blank.',
  deleted: () => 'This was deleted.',
  'no-item': () => 'This is neither a task nor a note.',
  'title-cut': (_, max: number) =>
    `A title has at most ${inDigits(max)} characters. The whole one is at the beginning of the body.`,
  'title-missing': () => 'There is no title. The beginning of the body is the title.',
  'text-split': (_, parts: number, max: number) =>
    `A text has at most ${inDigits(max)} characters. The rest is in ${parts === 1 ? 'another note' : `${inDigits(parts)} other notes`}.`,
  'characters-replaced': () => 'Characters that cannot be stored were replaced by �.',
  'other-encoding': () => 'This line has letters that are not in UTF-8. They were read as Windows-1252.',
  'link-left': (_, link: string) => `The link ${link} leads to no file of this import. It is kept as text.`,
  'wont-do': () => 'This was not to be done any more. It is done here.',
  'done-without-time': () => 'The file does not say when this was done. The time of the import is stored.',
} satisfies Record<string, (at: string, ...values: never[]) => string>

type Code = keyof typeof sentences
/** Of a sentence that says nothing but the place. */
export type PlainCode = { [Each in Code]: Values<Each> extends [] ? Each : never }[Code]
type Values<Each extends Code> =
  Parameters<(typeof sentences)[Each]> extends [string, ...infer Given] ? Given : []

function sentenceOf<Each extends Code>(code: Each, place: SourcePlace, values: Values<Each>): string {
  const say = sentences[code] as (at: string, ...values: unknown[]) => string
  return say(nameOfPlace(place), ...values)
}

/** Refuses an import. Its message is a whole sentence. */
export class Refusal<Each extends Code = Code> extends Error {
  constructor(code: Each, place: SourcePlace, ...values: Values<Each>) {
    super(sentenceOf(code, place, values))
  }
}

export function remark<Each extends Code>(at: ImportedRow, code: Each, ...values: Values<Each>) {
  at.remarks.push(sentenceOf(code, at.place, values))
}

/** A place as a part of a sentence, such as `row 3, column 2 of tasks.csv`. */
export function nameOfPlace({ file, row, column }: SourcePlace): string {
  const name = shortened(file)
  if (row === undefined) return column === undefined ? name : `column ${column} of ${name}`
  return `row ${inDigits(row)}${column === undefined ? '' : `, column ${column}`} of ${name}`
}

export const inDigits = (value: number): string => value.toLocaleString('en')

const nameLength = 100
const shortened = (name: string) => (name.length > nameLength ? `${name.slice(0, nameLength)}…` : name)

export function stored(text: string, at: ImportedRow) {
  const lines = text.replace(/\r\n?/g, '\n')
  const kept = lines.toWellFormed().replaceAll('\0', '\ufffd')
  if (kept !== lines) remark(at, 'characters-replaced')
  return kept
}
