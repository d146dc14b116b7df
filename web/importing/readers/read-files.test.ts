import { expect, test } from 'vitest'
import { compareInList, lists } from '#contract/lists.ts'
import { file, options, refusalOf, remarksOf, tasksIn, zip } from '../testing/import-files.ts'
import { read, recognised } from './read-files.ts'

const task = {
  ...{ _id: '01a1fbec-df28-741d-85d9-08c2d1fcac10', title: 'Swim', body: '', dueDate: '2026-11-27' },
  ...{ dueTime: '08:30', priority: 'high', repeat: 'FREQ=WEEKLY;BYDAY=FR', repeatFrom: 'done' },
  ...{ repeatDay: '2026-11-27', reminders: '10m', series: '01a1fbec-df28-741d-85d9-08c2d1fcac10' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', placeInFile: 7, doneAt: null, deletedAt: null },
}
const note = {
  ...{ _id: '01a1fbec-df28-741d-85d9-08c2d1fcac11', text: 'x'.repeat(100_000), pinned: true },
  ...{ createdAt: task.createdAt, changedAt: task.createdAt, deletedAt: null },
}
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

test('the zip of Daymark keeps every value and id', async () => {
  const gone = { ...task, _id: note._id.replace(/.$/, '2'), deletedAt: '2026-11-20T00:00:00.000Z' }
  const longGone = { ...note, _id: note._id.replace(/.$/, '3'), deletedAt: '2026-10-27T00:00:00.000Z' }
  const version = { note: note._id, at: task.createdAt, by: 'Firefox on Linux', text: 'earlier' }
  const first = { ...version, at: '2025-01-01T00:00:00.000Z', text: 'first' }
  const exported = await zip('daymark.zip', {
    'manifest.json': '{ "format": "daymark", "formatVersion": 1 }',
    'tasks.jsonl': lines(task),
    'notes.jsonl': lines(note),
    // The server takes those of a note in their order alone.
    'versions.jsonl': lines(version, { ...version, note: longGone._id }, first),
    'deleted.jsonl': lines({ kind: 'task', item: gone }, { kind: 'note', item: longGone }),
    'settings.jsonl': lines({ theme: 'dark' }),
    'notes/xxx.md': note.text,
  })
  expect((await recognised([exported])).reader.label).toBe('Daymark')
  const imported = await read([exported], options)
  const bare = { list: null, tags: [] }
  expect(imported.tasks).toEqual([
    { ...task, ...bare },
    { ...gone, ...bare },
  ])
  expect(imported.notes).toEqual([{ ...note, ...bare }])
  expect(imported).toMatchObject({ versions: [first, version], settings: { theme: 'dark' } })
  // What was deleted more than 30 days ago is gone for good.
  expect(remarksOf(imported)).toEqual(['This was deleted.'])
})

const other = note._id.replace(/.$/, '4')
const impossible = { ...task, _id: other, dueDate: '2026-02-30' }
const late = { ...task, createdAt: '+275760-09-13T00:00:00.000Z' }
const huge = { ...task, title: 'x'.repeat(10_485_760) }
test.each([
  ['a day that does not exist', { tasks: [task, impossible] }, 'a value of dueDate', 2],
  ['an id that is a path', { tasks: [{ ...task, _id: '../../etc/passwd' }] }, 'a value of _id', 1],
  ['a title of ten megabytes', { tasks: [huge] }, 'a value of title', 1],
  ['a title that shows nothing', { tasks: [{ ...task, title: ' \u200b' }] }, 'a value of title', 1],
  ['a NUL', { notes: [{ ...note, text: 'a\0b' }] }, 'a value of text', 1],
  ['half a character', { notes: [{ ...note, text: '\ud800' }] }, 'a value of text', 1],
  ['a year of six digits', { tasks: [late] }, 'a value of createdAt', 1],
  ['a time in words', { notes: [{ ...note, changedAt: '1 Dec 2026' }] }, 'a value of changedAt', 1],
  ['a rule of every second', { tasks: [{ ...task, repeat: 'FREQ=SECONDLY' }] }, 'a value of repeat', 1],
  ['a list in place of an item', { tasks: [[task]] }, 'an object', 1],
] as const)('a zip of Daymark that has %s is refused with its row', async (_, files, expected, row) => {
  const [[name, values]] = Object.entries(files) as unknown as [[string, object[]]]
  const hostile = await zip('daymark.zip', {
    'manifest.json': '{ "format": "daymark" }',
    [`${name}.jsonl`]: lines(...values),
  })
  expect(await refusalOf(hostile)).toBe(
    `The file does not have ${expected}${expected === 'an object' ? '' : ' that Daymark exports'} in row ${row} of ${name}.jsonl.`,
  )
})

test('a zip of Daymark has each id once, no settings but those of Daymark, and no file outside its folder', async () => {
  const manifest = { 'a/manifest.json': '{ "format": "daymark" }' }
  const both = lines({ ...task, _id: other }, { ...task, _id: note._id })
  for (const files of [
    { 'a/tasks.jsonl': lines(task, task) },
    { 'a/notes.jsonl': lines(note), 'a/tasks.jsonl': both },
  ])
    expect(await refusalOf(await zip('daymark.zip', { ...manifest, ...files }))).toMatch(
      /^The id in row \d of a\/(tasks|notes)\.jsonl is also that of another task or note of the files\.$/,
    )
  const polluted = `{"__proto__":{"theme":"dark"},"constructor":1,"theme":{"x":1},"zone":"Europe/Rome","keys":"no"}`
  const hostile = await zip('daymark.zip', {
    ...{ ...manifest, 'a/settings.jsonl': polluted, '../tasks.jsonl': lines({ ...task, _id: other }) },
    'a/tasks.jsonl': lines(task).replace('{', '{"__proto__":{"list":"x"},"user_id":"1",'),
    'a/notes/tasks.jsonl': lines({ ...task, _id: other }),
  })
  const imported = await read([hostile], options)
  expect(imported.tasks).toEqual([{ ...task, list: null, tags: [] }])
  expect(imported.settings).toEqual({ zone: 'Europe/Rome' })
  expect(remarksOf(imported)).toEqual([
    '__proto__ was left out: {"list":"x"}.',
    'user_id was left out: "1".',
    '__proto__ was left out: {"theme":"dark"}.',
    'constructor was left out: 1.',
    'theme was left out: {"x":1}.',
    'keys was left out: "no".',
    'The file ../tasks.jsonl was left out.',
  ])
})

test('a zip of another version of Daymark has the defaults of fields that it lacks, and those that are not known are named', async () => {
  const { body, dueTime, repeat, repeatFrom, repeatDay, reminders, series, ...later } = task
  const { placeInFile, doneAt, deletedAt, ...early } = later
  const { pinned, deletedAt: _, ...earlyNote } = note
  const exported = await zip('daymark.zip', {
    'manifest.json': '{ "format": "daymark", "formatVersion": 1 }',
    'tasks.jsonl': lines(early, { ...task, _id: other, colour: 'red' }),
    'notes.jsonl': lines(earlyNote),
    'versions.jsonl': lines({ note: note._id, at: task.createdAt, by: '', text: 'first', size: 5 }),
    'settings.jsonl': lines({ theme: 'dark', density: 'high' }),
  })
  const imported = await read([exported], options)
  const bare = { list: null, tags: [] }
  expect(imported.tasks).toEqual([
    {
      ...{ ...early, ...bare, body: '', dueTime: null, repeat: null, repeatFrom: 'due', repeatDay: null },
      ...{ reminders: null, series: null, placeInFile: 0, doneAt: null, deletedAt: null },
    },
    { ...task, ...bare, _id: other },
  ])
  expect(imported.notes).toEqual([{ ...earlyNote, ...bare, pinned: false, deletedAt: null }])
  expect(imported.settings).toEqual({ theme: 'dark' })
  expect(remarksOf(imported)).toEqual([
    'colour was left out: "red".',
    'size was left out: 5.',
    'density was left out: "high".',
  ])
})

test.each([
  [', "readBy": "3.1.0"', 'Version 3.1.0 or a later one can read it.'],
  ['', 'this version cannot read it.'],
])('a zip of a later format of Daymark is refused, with its version%s', async (more, expected) => {
  const later = await zip('daymark.zip', {
    'manifest.json': `{ "format": "daymark", "formatVersion": 2${more} }`,
    'tasks.jsonl': lines(task),
  })
  expect(await refusalOf(later)).toContain(expected)
})

test('a table has its columns guessed or chosen, and nothing of it is lost', async () => {
  const text = [
    'Name;Notes;Due Date;Prio;Labels;Project;Status;Where',
    '"Buy; milk";"two ""litres""\nfresh";31/12/2026 17:30;high;home, shop;House;open;Lisbon',
    'Buy; milk;3/4/2026;;;;done;',
    ';only a body;someday soon;;;;;',
  ].join('\r\n')
  const imported = await read([file('tasks.csv', text)], options)
  const columns = { title: 0, doneAt: 6 }
  expect(imported).toMatchObject({ source: 'table', hasUnclearDays: false, table: { columns } })
  expect(tasksIn(imported)).toEqual([
    'Buy; milk | 2026-12-31 17:30 high in House #home #shop | two "litres"\nfresh',
    'Buy | 2026-04-03 medium done 2026-11-26T12:00:00.000Z | milk',
    'only a body | medium | only a body\n\nDue: someday soon',
  ])
  expect(remarksOf(imported)).toEqual([
    'Where was left out: Lisbon.',
    'The file does not say when this was done. The time of the import is stored.',
    'There is no title. The beginning of the body is the title.',
    'This is not a day that can be read: someday soon. It is a line of the body.',
  ])
  const again = await read([file('tasks.csv', text)], options)
  expect(again.tasks.map(({ _id }) => _id)).toEqual(imported.tasks.map(({ _id }) => _id))

  const chosen = await read([file('tasks.csv', text)], { ...options, columns: { title: 1 } })
  expect(chosen.tasks.map(({ title }) => title)).toEqual(['two "litres" fresh', 'milk', 'only a body'])
  const ids = ({ tasks }: typeof imported) => tasks.map(({ _id }) => _id)
  expect(ids(chosen)).toEqual(ids(imported))
  const both = 'Category,Deadline,Due,Title,Content,Tags\nHome,2027-01-01,2026-12-01,Swim,Fast,sport'
  expect(tasksIn(await read([file('tasks.csv', both)], options))).toEqual([
    'Swim | 2026-12-01 medium in Home #sport | Fast',
  ])
  // As Excel writes them: a first row that declares the delimiter, and 'Unicode text'.
  const declared = 'sep=;\r\nTitle;Due\r\n"Swim, run";1.12.2026\r\n'
  const units = [...'\ufeffTitle\tDue\r\nSwim, run\t1.12.2026\r\n'].map((unit) => unit.charCodeAt(0))
  const unicode = new Uint16Array(units)
  for (const content of [declared, unicode])
    expect(tasksIn(await read([file('tasks.csv', content)], options))).toEqual([
      'Swim, run | 2026-12-01 medium',
    ])
  const unnamed = await read([file('tasks.csv', 'due,what\n2026-12-01,Swim')], options)
  expect(tasksIn(unnamed)).toEqual(['Swim | 2026-12-01 medium'])
})

test('the same file has the same ids on another day, in another zone, and other ids in another account', async () => {
  const text =
    'TYPE,CONTENT,PRIORITY,INDENT,DATE\ntask,Swim,4,1,tomorrow\ntask,Swim,4,1,tomorrow\ntask,Run,4,1,2026-12-01T23:30:00Z\n'
  const idsWith = async (changed: Partial<typeof options>) =>
    (await read([file('Sport.csv', text)], { ...options, ...changed })).tasks.map(({ _id }) => _id)
  const ids = await idsWith({})
  expect(new Set(ids).size).toBe(3)
  expect(await idsWith({ now: new Date('2027-02-01T12:00Z'), zone: 'Asia/Tokyo' })).toEqual(ids)
  const others = await idsWith({ account: '01a1fbec-df28-741d-85d9-08c2d1fcac19' })
  expect(ids.some((id) => others.includes(id))).toBe(false)
})

test('rows without a day are in the order of the file in Someday and in Latest, and keep their ids when one is inserted', async () => {
  const titles = Array.from({ length: 300 }, (_, index) => `Step ${index}`)
  const readRows = async (rows: string[]) =>
    (await read([file('Move.csv', `TYPE,CONTENT\n${rows.map((row) => `task,${row}`).join('\n')}`)], options))
      .tasks
  const tasks = await readRows(titles)
  for (const list of [lists.someday, lists.latest])
    expect(tasks.toSorted((one, other) => compareInList(list, one, other)).map(({ title }) => title)).toEqual(
      titles,
    )
  const again = await readRows(titles.toSpliced(100, 0, 'New'))
  expect(again.filter(({ title }) => title !== 'New').map(({ _id }) => _id)).toEqual(
    tasks.map(({ _id }) => _id),
  )
})
