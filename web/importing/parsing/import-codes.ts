/** A place in a file. Rows and columns count from 1; a column that has a name is called by it. */
export type SourcePlace = { file: string; row?: number; column?: string }

/**
 * Why a file cannot be read, and what was left out or changed in an item. The English sentence is made of the place and the
 * parameters alone, so that others can word the same.
 */
const importCodes = {
  // The whole import is refused.
  'unknown-kind': (_: object, at: string) =>
    `Daymark cannot read ${at}: it is none of the files that can be imported.`,
  'no-files': () => 'There is no file to import.',
  'not-text': (_: object, at: string) =>
    `This is not a text: it has a character that no text contains in ${at}.`,
  'other-archive': (_: object, at: string) =>
    `Daymark opens zips and tars to two levels, and no other archives. Unpack ${at}, and choose its folder.`,
  'quote-not-closed': (_: object, at: string) => `A quotation mark is never closed. It begins in ${at}.`,
  'text-after-quote': (_: object, at: string) =>
    `Text follows a closing quotation mark in ${at}. A quotation mark inside a value must be doubled.`,
  'too-many-rows': ({ max }: { max: number }, at: string) =>
    `There are more than ${inDigits(max)} rows, as many as one import reads, from ${at} on.`,
  'too-many-columns': ({ max }: { max: number }, at: string) =>
    `There are more than ${inDigits(max)} columns in ${at}.`,
  'too-large': ({ max }: { max: number }, at: string) =>
    `The files have more than ${inDigits(max)} bytes, as many as one import reads, from ${at} on.`,
  'too-many-files': ({ max }: { max: number }, at: string) =>
    `There are more than ${inDigits(max)} files in ${at}, as many as one import reads.`,
  'too-deep': ({ max }: { max: number }, at: string) =>
    `More than ${inDigits(max)} levels are inside each other in ${at}.`,
  'damaged-zip': (_: object, at: string) => `The zip is damaged in ${at}.`,
  'damaged-archive': (_: object, at: string) => `The archive ${at} is damaged.`,
  'encrypted-zip': (_: object, at: string) => `The zip has a password: ${at} cannot be read.`,
  'unknown-compression': (_: object, at: string) =>
    `The zip has a compression that is not supported, in ${at}.`,
  'not-json': (_: object, at: string) => `The file is not valid JSON in ${at}.`,
  'unexpected-json': ({ expected }: { expected: string }, at: string) =>
    `The file does not have ${expected} in ${at}.`,
  'later-export': ({ version }: { version: string | undefined }) =>
    version === undefined
      ? 'This export was made by a later version of Daymark, and this version cannot read it.'
      : `This export was made by a later version of Daymark. Version ${version} or a later one can read it.`,
  'repeated-id': (_: object, at: string) =>
    `The id in ${at} is also that of another task or note of the files.`,
  'doctype-refused': (_: object, at: string) =>
    `The file declares a document type or entities in ${at}, which no import needs.`,
  'component-not-closed': ({ name }: { name: string }, at: string) =>
    `A ${name} that begins in ${at} has no end.`,
  'no-title-column': (_: object, at: string) => `No column of ${at} is chosen for the title.`,

  // Something of an item was left out or changed.
  'file-left-out': (_: object, at: string) => `The file ${at} was left out.`,
  'not-a-property': (_: object, at: string) => `This was left out: ${at} is not a line of a calendar.`,
  'encrypted-note': () => 'The text of this note is encrypted. It was left out.',
  'attachment-left-out': ({ name }: { name: string }) =>
    `The attachment ${name} was left out. Its place is kept in the text.`,
  'repeat-as-text': ({ repeat }: { repeat: string }) =>
    `Daymark cannot repeat a task so: ${repeat}. This is a line of the body.`,
  'repeat-added': ({ repeat }: { repeat: string }) =>
    `A task of Daymark has one rule and no days beside it. ${repeat} is a line of the body.`,
  'unknown-zone': ({ zone }: { zone: string }) =>
    `The time zone ${zone} is not known. The time is as it is on the clock of the file.`,
  'day-as-text': ({ day }: { day: string }) =>
    `This is not a day that can be read: ${day}. It is a line of the body.`,
  'day-outside-range': ({ day, min, max }: { day: string; min: string; max: string }) =>
    `Days are from ${min} to ${max}. ${day} is a line of the body.`,
  'day-of-part': ({ day }: { day: string }) => `A checkbox has no due date. ${day} is in its text.`,
  'repeat-without-day': ({ repeat }: { repeat: string }) =>
    `A task without a due date cannot repeat. ${repeat} is a line of the body.`,
  'repeat-of-done': ({ repeat }: { repeat: string }) =>
    `A done task does not repeat. ${repeat} is a line of the body.`,
  'reminder-left-out': ({ reminder }: { reminder: string }) => `The reminder ${reminder} was left out.`,
  'value-left-out': ({ name, value }: { name: string; value: string }) => `${name} was left out: ${value}.`,
  'row-left-out': ({ reason }: { reason: 'blank' | 'deleted' | 'no task' }) =>
    ({
      blank: 'The row is blank.',
      deleted: 'This was deleted.',
      'no task': 'This is neither a task nor a note.',
    })[reason],
  'title-cut': ({ max }: { max: number }) =>
    `A title has at most ${inDigits(max)} characters. The whole one is at the beginning of the body.`,
  'title-missing': () => 'There is no title. The beginning of the body is the title.',
  'text-split': ({ parts, max }: { parts: number; max: number }) =>
    `A text has at most ${inDigits(max)} characters. The rest is in ${parts === 1 ? 'another note' : `${inDigits(parts)} other notes`}.`,
  'characters-replaced': () => 'Characters that cannot be stored were replaced by �.',
  'other-encoding': () => 'This line has letters that are not in UTF-8. They were read as Windows-1252.',
  'link-left': ({ link }: { link: string }) =>
    `The link ${link} leads to no file of this import. It is kept as text.`,
  'wont-do': () => 'This was not to be done any more. It is done here.',
  'done-without-time': () => 'The file does not say when this was done. The time of the import is stored.',
} satisfies Record<string, (params: never, at: string) => string>

export type Code = keyof typeof importCodes
export type ParamsOf<Each extends Code> =
  Parameters<(typeof importCodes)[Each]> extends [infer Params, ...unknown[]] ? Params : object

/** The sentence of a refusal or of a remark. */
export function sentenceOf({
  code,
  params,
  place,
}: {
  code: Code
  params: object
  place: SourcePlace
}): string {
  const sentence = importCodes[code] as (params: object, at: string) => string
  return sentence(params, nameOfPlace(place))
}

/** A place as a part of a sentence, such as `row 3, column 2 of tasks.csv`. */
export function nameOfPlace({ file, row, column }: SourcePlace): string {
  const name = shortened(file)
  if (row === undefined) return column === undefined ? name : `column ${column} of ${name}`
  return `row ${inDigits(row)}${column === undefined ? '' : `, column ${column}`} of ${name}`
}

/** Refuses an import. Its message is a whole sentence. */
export class ImportError<Each extends Code = Code> extends Error {
  readonly code: Each
  readonly params: ParamsOf<Each>
  readonly place: SourcePlace

  constructor(code: Each, params: ParamsOf<Each>, place: SourcePlace) {
    super(sentenceOf({ code, params: params as object, place }))
    this.code = code
    this.params = params
    this.place = place
  }
}

export const inDigits = (value: number): string => value.toLocaleString('en')

/** Names of files are shown up to this length. */
const nameLength = 100
const shortened = (name: string) => (name.length > nameLength ? `${name.slice(0, nameLength)}…` : name)
