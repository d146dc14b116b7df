import { Refusal } from './remarks.ts'

/**
 * A kind of files that no reader reads, as a part of a sentence, and what to do instead. It is recognised by whatever it has here: how
 * the bytes begin, a character for each; its path; its text; for an archive, a path `inside` of it, after its own.
 */
type OtherKind = { is: string; instead: string } & Partial<
  Record<'bytes' | 'path' | 'text' | 'inside', RegExp>
>

const asTable = 'Save it as CSV, and choose that file.'
const asText = 'Save it as plain text (.txt) or Markdown, and choose that file.'
const textAlone = 'Choose a file that has the text, such as CSV, ICS or Markdown.'
const otherExport = 'Export the tasks or notes as CSV, ICS, Markdown or plain text, and choose that file.'
const ofOffice = /^\xd0\xcf.\xe0\xa1\xb1/
const outlook = 'Export the tasks as CSV in Outlook, and choose that file.'

/** The first that fits is the kind. */
const otherKinds: OtherKind[] = [
  { is: 'a spreadsheet', instead: asTable, inside: /\/xl\/workbook\.|\.numbers\/Index\// },
  { is: 'a spreadsheet', instead: asTable, inside: /\/mimetype$/, text: /opendocument\.spreadsheet/ },
  { is: 'a spreadsheet', instead: asTable, path: /\.xl[ast]$/i, bytes: ofOffice },
  { is: 'a Word document', instead: asText, inside: /\/word\/document\./ },
  { is: 'a Word document', instead: asText, path: /\.do[ct]$/i, bytes: ofOffice },
  { is: 'a text document', instead: asText, inside: /\/mimetype$/, text: /opendocument\.text/ },
  { is: 'a text document', instead: asText, inside: /\.pages\/Index\// },
  { is: 'a text document (RTF)', instead: asText, text: /^\{\\rtf/ },
  { is: 'a presentation', instead: textAlone, inside: /\/ppt\/presentation\.|\.key\/Index\// },
  { is: 'an Office document', instead: otherExport, bytes: ofOffice },
  { is: 'a PDF', instead: 'Save its text as plain text (.txt), and choose that file.', bytes: /^%PDF-/ },
  {
    ...{ is: 'a picture', instead: textAlone },
    bytes:
      /^(?:\x89PNG|\xff\xd8\xff|GIF8|BM[\s\S]{4}\0{4}|II\*\0|MM\0\*|RIFF[\s\S]{4}WEBP|[\s\S]{4}ftyp(?:hei|mif|avif))/,
  },
  {
    ...{ is: 'a recording', instead: textAlone },
    bytes: /^(?:ID3|OggS|fLaC|RIFF[\s\S]{4}(?:WAVE|AVI )|.E\xdf\xa3|[\s\S]{4}ftyp)/,
  },
  {
    ...{
      is: 'a notebook of OneNote',
      path: /\.one(?:pkg|toc2)?$/i,
      bytes: /^(?:\xe4\x52\x5c\x7b|MSCF|\xa1\x2f\xff\x43)/,
    },
    instead: 'Copy the text of its pages into text files (.txt), and choose these files.',
  },
  {
    ...{ is: 'the database of Apple Notes', path: /NoteStore/i, bytes: /^SQLite format 3/ },
    instead: 'Export the notes as Markdown in Apple Notes, and choose these files.',
  },
  { is: 'a database (SQLite)', instead: otherExport, bytes: /^SQLite format 3/ },
  { is: 'a data file of Outlook and Microsoft To Do', instead: outlook, bytes: /^!BDN/ },
  {
    ...{ is: 'a backup of Microsoft To Do', instead: outlook },
    text: /"wellknownListName"|graph\.todoTask/,
  },
  {
    ...{ is: 'a backup of Trello', text: /"(?:idBoard|perBoard)"\s?:/ },
    instead: 'Export the board as CSV in Trello, and choose that file.',
  },
  { is: 'JSON of a program that Daymark does not know', instead: otherExport, text: /^\s{0,99}[[{]/ },
  {
    ...{ is: 'a page of Notion in HTML', path: /[ _-][\da-f]{32}\.html?$/, text: /^\s{0,99}</ },
    instead: 'Export it as “Markdown & CSV” in Notion, and choose that zip.',
  },
  {
    is: 'a page of the web (HTML)',
    instead: otherExport,
    text: /^\s{0,99}<(?:!doctype html|html|head|body)\b/i,
  },
  { is: 'XML of a program that Daymark does not know', instead: otherExport, text: /^\s{0,99}<[?!a-z]/i },
]

const fits = (kind: OtherKind, given: { [Name in keyof OtherKind]?: string | undefined }) =>
  (['bytes', 'path', 'text', 'inside'] as const).every((name) => kind[name]?.test(given[name] ?? '') ?? true)

export function refuseBytes(bytes: Uint8Array, file: string) {
  const start = String.fromCharCode(...bytes.subarray(0, 32))
  const kind = otherKinds.find((each) => each.bytes && fits(each, { bytes: start, path: file }))
  if (kind) throw new Refusal('other-kind', { file }, kind.is, kind.instead)
}

type Unread = { path: string; zip?: string | undefined; text: string | undefined }

/** Refuses files that no reader reads, if one of them is of a kind that can be recognised. */
export function refuseTexts(files: readonly Unread[]) {
  for (const kind of otherKinds.filter(({ bytes }) => !bytes))
    for (const { path, zip, text } of files) {
      const inside = zip && `${zip}/${path}`
      const file = kind.inside && zip ? zip : path
      if (fits(kind, { path, text, inside })) throw new Refusal('other-kind', { file }, kind.is, kind.instead)
    }
}
