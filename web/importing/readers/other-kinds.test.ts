import { expect, test } from 'vitest'
import { file, refusalOf, zip } from '../testing/import-files.ts'

const id = 'a'.repeat(32)
const bytes = (start: string) => Uint8Array.from(start.padEnd(600, '\0'), (unit) => unit.charCodeAt(0))
const office = bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const types = { '[Content_Types].xml': '<?xml version="1.0"?><Types/>' }
const ofOpenDocument = (kind: string) => ({
  mimetype: `application/vnd.oasis.opendocument.${kind}`,
  'content.xml': '<?xml version="1.0"?><a/>',
})
const html = '<!DOCTYPE html><html><body><p>Swim</p></body></html>'
const withText = 'Choose a file that has the text,'
const otherExport = 'Export the tasks or notes as CSV, ICS, Markdown or plain text, and choose that file.'

test.each([
  ['a.xlsx', { ...types, 'xl/workbook.xml': '<?xml version="1.0"?><a/>' }, 'a spreadsheet. Save it as CSV,'],
  ['a.ods', ofOpenDocument('spreadsheet'), 'a spreadsheet. Save it as CSV, and choose that file.'],
  ['a.xls', office, 'a spreadsheet. Save it as CSV, and choose that file.'],
  ['a.numbers', { 'Index/Document.iwa': '\0' }, 'a spreadsheet. Save it as CSV, and choose that file.'],
  ['a.docx', { ...types, 'word/document.xml': '<?xml version="1.0"?><a/>' }, 'a Word document. Save it as'],
  ['a.doc', office, 'a Word document. Save it as plain text (.txt) or Markdown, and choose that file.'],
  ['a.odt', ofOpenDocument('text'), 'a text document. Save it as plain text (.txt) or Markdown,'],
  ['a.rtf', '{\\rtf1 Swim}', 'a text document (RTF). Save it as plain text (.txt) or Markdown,'],
  ['a.pptx', { ...types, 'ppt/presentation.xml': '<a/>' }, `a presentation. ${withText}`],
  ['a.msg', office, `an Office document. ${otherExport}`],
  ['a.pdf', '%PDF-1.7\n1 0 obj', 'a PDF. Save its text as plain text (.txt), and choose that file.'],
  ['a.png', bytes('\x89PNG\r\n'), `a picture. ${withText} such as CSV, ICS or Markdown.`],
  ['a.jpg', bytes('\xff\xd8\xff\xe0'), `a picture. ${withText}`],
  ['a.heic', bytes('\0\0\0\x18ftypheic'), `a picture. ${withText}`],
  ['a.m4a', bytes('\0\0\0\x18ftypM4A '), `a recording. ${withText}`],
  [
    'a.one',
    bytes('\xe4\x52\x5c\x7b'),
    'a notebook of OneNote. Copy the text of its pages into text files (.txt),',
  ],
  [
    'NoteStore.sqlite',
    bytes('SQLite format 3\0'),
    'the database of Apple Notes. Export the notes as Markdown',
  ],
  ['a.sqlite', bytes('SQLite format 3\0'), `a database (SQLite). ${otherExport}`],
  ['a.pst', bytes('!BDN'), 'a data file of Outlook and Microsoft To Do. Export the tasks as CSV in Outlook,'],
  [
    'a.json',
    '[{"wellknownListName":"none","tasks":[]}]',
    'a backup of Microsoft To Do. Export the tasks as CSV',
  ],
  [
    'a.json',
    `{"id":"1","x":"${'x'.repeat(9000)}","cards":[{"idBoard":"1"}]}`,
    'a backup of Trello. Export the board as',
  ],
  ['a.json', '{"todos":[]}', `JSON of a program that Daymark does not know. ${otherExport}`],
  [
    `Home ${id}.html`,
    html,
    'a page of Notion in HTML. Export it as “Markdown & CSV” in Notion, and choose that zip.',
  ],
  ['a.html', html, `a page of the web (HTML). ${otherExport}`],
  [
    'a.xml',
    '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "b">]><x/>',
    `XML of a program that Daymark does not`,
  ],
] as const)('A file that nobody can read says what to choose instead: %s', async (path, content, says) => {
  const isPlain = typeof content === 'string' || content instanceof Uint8Array
  const chosen = isPlain ? file(path, content) : await zip(path, content)
  expect(await refusalOf(chosen)).toContain(`The file ${path} is ${says}`)
})

test('a file that nobody can read is named if others were chosen with it, or if it is in a zip', async () => {
  const picture = bytes('\x89PNG\r\n')
  const pages = await zip('Export.zip', { 'a.png': picture, [`Home ${id}.html`]: html })
  expect(await refusalOf(pages)).toContain(`Home ${id}.html is a page of Notion in HTML.`)
  expect(await refusalOf(file('a.png', picture), file('b.png', picture))).toContain('a.png is a picture.')
  expect(await refusalOf(file('a.json', '{'), file('b.pdf', '%PDF-1.7'))).toContain(
    'a.json is JSON of a program',
  )
})
