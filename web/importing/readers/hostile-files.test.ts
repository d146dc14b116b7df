import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImportFile } from '../../engine/imported.ts'
import { pastedName } from '../parsing/entries.ts'
import { importLimits } from '../parsing/remarks.ts'
import { file, options, refusalOf, zip } from '../testing/import-files.ts'
import { read } from './read-files.ts'

test.each([
  [
    'an unclosed quotation mark',
    'title,notes\nSwim,"x\ny',
    'A quotation mark is never closed. It begins in row 2, column 2 of tasks.csv.',
  ],
  [
    'a quotation mark inside a value',
    'title,notes\nSwim,"x "y" z"\n',
    'Text follows a closing quotation mark in row 2, column 2 of tasks.csv. A quotation mark inside a value must be doubled.',
  ],
  [
    'a file of an unknown program',
    new Uint8Array([120, 10, 10, 0, 1, 2, 3]),
    'This is not a text: it has a character that no text contains in row 3, column 1 of tasks.csv.',
  ],
  [
    'a picture',
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]),
    'The file tasks.csv is a picture. Choose a file that has the text, such as CSV, ICS or Markdown.',
  ],
  [
    'ten million lines',
    '\n'.repeat(10_000_000),
    'There are more than 200,000 rows, as many as one import reads, from row 200,001 of tasks.csv on.',
  ],
  [
    'many columns',
    `title${',x'.repeat(1000)}`,
    'There are more than 500 columns in row 1, column 501 of tasks.csv.',
  ],
  [
    'a declared document type',
    '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "b">]>',
    'The file tasks.csv is XML of a program that Daymark does not know. Export the tasks or notes as CSV, ICS, Markdown or plain text, and choose that file.',
  ],
] as const)('%s called .csv gets a sentence that says what and where it is', async (_, content, sentence) => {
  expect(await refusalOf(file('tasks.csv', content))).toBe(sentence)
})

test('damaged calendars and JSON get a sentence with their row', async () => {
  expect(await refusalOf(file('a.ics', 'BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VCALENDAR'))).toBe(
    'A VTODO that begins in row 2 of a.ics has no end.',
  )
  expect(await refusalOf(file('a.ics', `BEGIN:VCALENDAR\n${'BEGIN:VTODO\n'.repeat(1000)}`))).toBe(
    'More than 100 levels are inside each other in row 101 of a.ics.',
  )
  expect(await refusalOf(file('Tasks.json', '{"kind":"tasks#taskLists","items":[{]}'))).toBe(
    'The file is not valid JSON in row 1, column 37 of Tasks.json.',
  )
  expect(await refusalOf(file('a.bin', 'what?'))).toBe(
    'Daymark cannot read a.bin: it is none of the files that can be imported.',
  )
})

test('a zip that is larger than it says, damaged or inside two others, and another archive, are refused before they take memory', async () => {
  const bomb = deflateRawSync(new Uint8Array(importLimits.fileBytes + 1))
  const parts = new Uint8Array(await (await zip('bomb.zip', { 'Tasks.md': 'small' })).content.arrayBuffer())
  const view = new DataView(parts.buffer)
  const directory = parts.findIndex(
    (_, at) => at + 4 <= parts.length && view.getUint32(at, true) === 0x02014b50,
  )
  // The content of the entry is replaced; the size in the directory still says five bytes.
  view.setUint16(directory + 10, 8, true)
  view.setUint32(directory + 20, bomb.length, true)
  const start = 30 + view.getUint16(26, true) + view.getUint16(28, true)
  const end = parts.slice(directory)
  const moved = new DataView(end.buffer)
  moved.setUint32(end.length - 22 + 16, start + bomb.length, true)
  expect(await refusalOf(file('bomb.zip', parts.slice(0, start), bomb, end))).toBe(
    'The files have more than 134,217,728 bytes, as many as one import reads, from Tasks.md on.',
  )
  const locked = parts.slice()
  locked[directory + 8] = 1
  expect(await refusalOf(file('locked.zip', locked))).toBe(
    'The zip has a password: locked.zip/Tasks.md cannot be read.',
  )
  const nested = async (name: string, content: Uint8Array | string) =>
    new Uint8Array(await (await zip('x.zip', { [name]: content })).content.arrayBuffer())
  const inside = await nested('b.zip', await nested('a.csv', 'Title\n'))
  expect(await refusalOf(await zip('Export.zip', { 'Part-1.zip': inside }))).toBe(
    'Daymark opens zips and tars to two levels, and no other archives. Unpack b.zip, and choose its folder.',
  )
  expect(await refusalOf(file('takeout.tgz', new Uint8Array([0x1f, 0x8b, 8, 0])))).toBe(
    'The archive takeout.tgz is damaged.',
  )
  const wide = gzipSync(new Uint8Array(importLimits.fileBytes + 1))
  expect(await refusalOf(await zip('b.zip', { 'a.tgz': new Uint8Array(wide) }))).toBe(
    'The files have more than 134,217,728 bytes, as many as one import reads, from a.tgz on.',
  )
  expect(await refusalOf(file('cut.zip', parts.slice(0, -30)))).toBe('The zip is damaged in cut.zip.')
})

test('20,000 rows are read, each once and with an id of its own', async () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, index) => `Task ${index % 10},"More, with ""words""",${(index % 28) + 1}/1/2027,x`,
  )
  const text = `title,notes,due,project\n${rows.join('\n')}`
  const { tasks, rows: shown } = await read([file('tasks.csv', text)], options)
  const ids = new Set(tasks.map(({ _id }) => _id))
  expect([tasks.length, shown.length, ids.size]).toEqual([20_000, 20_000, 20_000])
})

const nameAndText = (whole: string) => whole.split(/\n([\s\S]*)/, 2) as [name: string, text: string]

/** The file or files of each reader. The first line of each is its name. */
const samples = [
  'a.csv\nTYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE\ntask,A @b,c,1,1,,,every 2 days\ntask,B,,4,2,,,17 Aug\nnote,C,,,,,,\n',
  'a.csv\nVersion\n"Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date","Reminder","Repeat","Priority","Status","Created Time","Completed Time","taskId","parentId"\n,L,T,TEXT,a,▫ b,N,,2026-02-27 14:59:52,TRIGGER:-PT30M,FREQ=DAILY,5,0,,,1,2\n',
  'a.json\n{"kind":"tasks#taskLists","items":[{"title":"L","items":[{"id":"1","title":"T","due":"2026-11-30T00:00:00Z","parent":"1","links":[{"link":"x"}]}]}]}',
  'a.ics\nBEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nDTSTART:16010101T020000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VTODO\nUID:1\nSUMMARY:A\\, b\nDUE;TZID=X:20261201T030000\nRRULE:FREQ=DAILY\nEXDATE;TZID=X:20261201T030000\nRELATED-TO:1\nBEGIN:VALARM\nTRIGGER:-PT1H\nEND:VALARM\nEND:VTODO\nEND:VCALENDAR\n',
  'a.csv\nname;due;priority;done\nA;3/4/2026;high;yes\n"B";morgen;;\n',
  'a.md\n---\ntags: [a, b]\n---\n# T\n[[a|b]] ![x](y.png) #two words#\n```\n[[a]]\n```\n',
  'a.json\n{"isTrashed":false,"title":"T","userEditedTimestampUsec":1767225600000000,"listContent":[{"text":"a"}]}',
  [
    'VERSION\n1',
    'data.json\n[{"title":"H","tasks":[{"id":1,"title":"T","description":"<p>a</p>","due_date":"2026-12-01T16:30:00Z","repeat_after":3600,"related_tasks":{"subtask":[{"id":1}]}}]}]',
  ],
  [
    'manifest.json\n{ "format": "daymark" }',
    `notes.jsonl\n${JSON.stringify({ _id: options.account, text: 'N', pinned: false, createdAt: '2026-01-01T00:00:00Z', changedAt: '2026-01-01T00:00:00Z', deletedAt: null })}\n`,
    'settings.jsonl\n{"theme":"dark"}\n',
  ],
  'a.enex\n<en-export><note><title>T</title><content><![CDATA[<en-note><en-todo/>a</en-note>]]></content><task><title>b</title></task></note></en-export>',
  'todo.txt\n(A) 2026-11-01 Call +a @b due:2026-12-01 rec:+1w\nx 2026-11-02 Pay\n',
  `${'a'.repeat(32)}.md\nT\n\n[b](:/${'a'.repeat(32)})\n\nid: ${'a'.repeat(32)}\nis_todo: 1\ntype_: 1`,
  'a.txt\n{"items":[{"uuid":"a","content_type":"Note","content":{"title":"T","text":"x"}}]}',
  [
    `A/T ${'a'.repeat(32)}.csv\nName,Due\nB,2026-12-01\n`,
    `A/T ${'a'.repeat(32)}/B ${'b'.repeat(32)}.md\n# B\n\nDue: x\n\n[a](C.md)\n`,
  ],
  `${pastedName}\n# G\n- [ ] a\n  - [x] b\n1. c\n`,
].map((files) => [files].flat().map(nameAndText))

const pieces = [
  ...['"', ',', '\n', '\r', ';', ':', '[[', ']]', '](', '#', '---\n', 'BEGIN:VTODO\n', 'END:', '{', '['],
  ...['\\', '\0', '\ud800', '&#x', '<a', '0001-01-01T00:00:00Z', '99999999999', '-1', 'FREQ=', '\ufeff'],
]

const mutations = fc.array(
  fc.record({
    at: fc.nat(1000),
    remove: fc.nat(12),
    insert: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })),
    times: fc.constantFrom(1, 1, 1, 300),
  }),
  { maxLength: 6 },
)
const mutated = (sample: string) =>
  mutations.map((edits) =>
    edits.reduce((text, { at, remove, insert, times }) => {
      const from = at % (text.length + 1)
      return text.slice(0, from) + insert.repeat(times) + text.slice(from + remove)
    }, sample),
  )

/** Reads files twice, or returns the sentence with which they are refused. */
async function readTwice(files: ImportFile[]) {
  const refused = await refusalOf(...files)
  if (refused !== undefined) {
    expect(refused).toMatch(/^[A-Z][\s\S]+\.$/)
    return
  }
  const [one, other] = [await read(files, options), await read(files, options)]
  expect(other).toEqual(one)
  for (const { title, body } of one.tasks) {
    expect(title.trim()).not.toBe('')
    expect((title + body).isWellFormed() && !(title + body).includes('\0')).toBe(true)
  }
}

test('whatever files have, they are read the same twice or refused with a sentence', async () => {
  const mayBeMutated = ([path, text]: [string, string]) =>
    fc.tuple(fc.constant(path), fc.oneof(fc.constant(text), mutated(text)))
  const ofReader = fc.constantFrom(...samples).chain((sample) => fc.tuple(...sample.map(mayBeMutated)))
  const name = fc.constantFrom(...samples.flat().map(([path]) => path), 'a.txt', 'a')
  const content = fc.oneof(
    fc.constantFrom(...samples.flat()).chain(([, text]) => mutated(text)),
    fc.uint8Array({ maxLength: 300 }),
  )
  const ofNone = fc.array(fc.tuple(name, content), { minLength: 1, maxLength: 3 })
  const files = fc.oneof({ weight: 3, arbitrary: ofReader }, ofNone)
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (contents, isZipped) => {
      const parts = contents.map(([path, content]) => [path, Buffer.from(content)] as const)
      const zipped = isZipped && (await zip('a.zip', Object.fromEntries(parts)))
      await readTwice(zipped ? [zipped] : parts.map(([path, bytes]) => file(path, bytes)))
    }),
    { numRuns: process.env.TORTURE ? 5000 : 150 },
  )
})

// Work that grows with the square of a size would take an hour for a million characters.
test('a file with very many of one piece anywhere is read or refused', async () => {
  // As many rows as an import of 20,000 has.
  const length = process.env.TORTURE ? 200_000 : 1_000_000
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.constantFrom(...pieces),
      fc.nat(),
      fc.nat(),
      async (sample, piece, which, place) => {
        const files = sample.map(([path, text], index) => {
          if (index !== which % sample.length) return file(path, text)
          const at = place % (text.length + 1)
          return file(path, text.slice(0, at) + piece.repeat(length / piece.length) + text.slice(at))
        })
        const began = process.cpuUsage()
        const refused = await refusalOf(...files)
        const { user } = process.cpuUsage(began)
        if (process.env.TORTURE) expect(user / 1000).toBeLessThan(2000)
        if (refused !== undefined) expect(refused).toMatch(/^[A-Z][\s\S]+\.$/)
      },
    ),
    { numRuns: process.env.TORTURE ? 300 : 25 },
  )
})

test('a damaged zip is refused with a sentence', async () => {
  const { content } = await zip('a.zip', { 'a.csv': 'name;due\nA;3/4/2026\n', 'b.md': 'x'.repeat(500) })
  const whole = new Uint8Array(await content.arrayBuffer())
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(whole.length), async (bytes, end) => {
      const damaged = whole.slice(0, end % 3 === 0 ? end : whole.length)
      for (const [at, byte] of bytes) damaged[at] = byte
      expect((await refusalOf(file('a.zip', damaged))) ?? 'It is read.').toMatch(/^[A-Z][\s\S]+\.$/)
    }),
  )
})
