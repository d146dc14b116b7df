import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importLimits } from '../parsing/import-limits.ts'
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
    'a picture',
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]),
    'This is not a text: it has a character that no text contains in row 3, column 1 of tasks.csv.',
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
    'The file declares a document type or entities in row 2, column 1 of tasks.csv, which no import needs.',
  ],
] as const)('%s called .csv gets a sentence that names row and column', async (_, content, sentence) => {
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

test('a zip that is larger than it says, damaged or inside another, and another archive, are refused before they take memory', async () => {
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
  const [inside, opened] = [
    new Uint8Array(await (await zip('a.zip', { 'a.csv': 'Title\n' })).content.arrayBuffer()),
    (name: string) =>
      `Daymark opens zips alone, and none inside another. Unpack ${name}, and choose its folder.`,
  ]
  expect(await refusalOf(await zip('Export.zip', { 'Part-1.zip': inside }))).toBe(opened('Part-1.zip'))
  expect(await refusalOf(file('takeout.tgz', new Uint8Array([0x1f, 0x8b, 8, 0])))).toBe(opened('takeout.tgz'))
  expect(await refusalOf(file('cut.zip', parts.slice(0, -30)))).toBe('The zip is damaged in cut.zip.')
})

test('20,000 rows are read, each once and with an id of its own', async () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, index) => `Task ${index % 10},"More, with ""words""",${(index % 28) + 1}/1/2027,x`,
  )
  const { tasks, rows: shown } = await read(
    [file('tasks.csv', `title,notes,due,project\n${rows.join('\n')}`)],
    options,
  )
  expect([tasks.length, shown.length, new Set(tasks.map(({ _id }) => _id)).size]).toEqual([
    20_000, 20_000, 20_000,
  ])
})

const samples = [
  'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE\ntask,A @b,c,1,1,,,every 2 days\ntask,B,,4,2,,,17 Aug\nnote,C,,,,,,\n',
  'Version\n"Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date","Reminder","Repeat","Priority","Status","Created Time","Completed Time","taskId","parentId"\n,L,T,TEXT,a,▫ b,N,,2026-02-27 14:59:52,TRIGGER:-PT30M,FREQ=DAILY,5,0,,,1,2\n',
  '{"kind":"tasks#taskLists","items":[{"title":"L","items":[{"id":"1","title":"T","due":"2026-11-30T00:00:00Z","parent":"1","links":[{"link":"x"}]}]}]}',
  'BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:A\\, b\nDUE;TZID=Europe/Berlin:20261201T030000\nRRULE:FREQ=DAILY\nRELATED-TO:1\nBEGIN:VALARM\nTRIGGER:-PT1H\nEND:VALARM\nEND:VTODO\nEND:VCALENDAR\n',
  'name;due;priority;done\nA;3/4/2026;high;yes\n"B";morgen;;\n',
  '---\ntags: [a, b]\n---\n# T\n[[a|b]] ![x](y.png) #two words#\n```\n[[a]]\n```\n',
  '{"isTrashed":false,"title":"T","userEditedTimestampUsec":1767225600000000,"listContent":[{"text":"a"}]}',
]
const pieces = [
  '"',
  ',',
  '\n',
  '\r',
  ';',
  ':',
  '[[',
  ']]',
  '](',
  '#',
  '---\n',
  'BEGIN:VTODO\n',
  'END:',
  '{',
  '[',
  '\\',
  '\0',
  '\ud800',
  '&#x',
  '<a',
  '0001-01-01T00:00:00Z',
  '99999999999',
  '-1',
  'FREQ=',
  '\ufeff',
]

test('whatever a file has, it is read the same twice or refused with a sentence', async () => {
  const edit = fc.record({
    at: fc.nat(1000),
    remove: fc.nat(12),
    insert: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })),
    times: fc.constantFrom(1, 1, 1, 300),
  })
  const mutated = fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 6 }))
    .map(([sample, edits]) =>
      edits.reduce((text, { at, remove, insert, times }) => {
        const from = at % (text.length + 1)
        return text.slice(0, from) + insert.repeat(times) + text.slice(from + remove)
      }, sample),
    )
  const content = fc.oneof({ weight: 6, arbitrary: mutated }, fc.uint8Array({ maxLength: 300 }))
  const name = fc.constantFrom(
    'a.csv',
    'a.ics',
    'a.json',
    'a.md',
    'a.txt',
    'a',
    'VERSION',
    'data.json',
    'manifest.json',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(name, content), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (contents, isZipped) => {
        const parts = contents.map(
          ([path, text]) =>
            [path, typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text)] as const,
        )
        const files = isZipped
          ? [await zip('a.zip', Object.fromEntries(parts))]
          : parts.map(([path, bytes]) => file(path, bytes))
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
      },
    ),
    { numRuns: 100 },
  )
})

test('a damaged zip is refused with a sentence', async () => {
  const whole = new Uint8Array(
    await (await zip('a.zip', { 'a.csv': samples[4] ?? '', 'b.md': 'x'.repeat(500) })).content.arrayBuffer(),
  )
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(changes, fc.nat(whole.length), async (bytes, end) => {
      const damaged = whole.slice(0, end % 3 === 0 ? end : whole.length)
      for (const [at, byte] of bytes) damaged[at] = byte
      expect((await refusalOf(file('a.zip', damaged))) ?? 'It is read.').toMatch(/^[A-Z][\s\S]+\.$/)
    }),
  )
})
