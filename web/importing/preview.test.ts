import { expect, test } from 'vitest'
import { titleLength } from '#contract/limits.ts'
import type { Imported } from '../engine/imported.ts'
import { countsOf, shownPlace, shownRows } from './import-table.tsx'
import { read } from './readers/read-files.ts'
import { correctedNote, correctedTask, lacking, listsIn, noCorrections, tagsOf } from './sent-import.ts'
import { file, options } from './testing/import-files.ts'

const table = (text: string) => read([file('tasks.csv', text)], options)

test('lists and labels become tags, each as it was corrected, and priorities become others', async () => {
  const { tasks } = await table(
    'Title,List,Tags,Prio\nMow,Green House,"home, big job",high\nPay,__proto__,,low\n',
  )
  const [mow, pay] = tasks as [Imported['tasks'][0], Imported['tasks'][0]]
  expect(correctedTask(mow, noCorrections)).toMatchObject({
    title: 'Mow #Green-House #home #big-job',
    body: '',
    priority: 'high',
  })
  const long = { ...mow, title: 'x'.repeat(titleLength.max - 5) }
  expect(correctedTask(long, noCorrections)).toMatchObject({
    title: long.title,
    body: '#Green-House #home #big-job',
  })
  expect(correctedTask(mow, noCorrections)).not.toHaveProperty('list')
  const corrections = {
    tags: new Map([['Green House', 'garden']]),
    priorities: { ...noCorrections.priorities, high: 'low' } as const,
  }
  expect(correctedTask(mow, corrections)).toMatchObject({
    ...{ _id: mow._id, title: 'Mow #garden #home #big-job', priority: 'low' },
  })
  // An empty field makes no tag, and a name is never a property of an object.
  const without = { ...noCorrections, tags: new Map([['Green House', '']]) }
  expect(tagsOf({ ...mow, tags: [] }, without)).toEqual([])
  expect(tagsOf(pay, noCorrections)).toEqual(['#__proto__'])
  expect(listsIn({ tasks: [mow, pay, mow], notes: [] })).toEqual([
    ['Green House', 2],
    ['__proto__', 1],
  ])
})

test('a note gets its tags at its end, once', async () => {
  const { notes } = await read([file('Trips/ferry.md', '# Ferry\n\nAt 8:40 #Trips')], options)
  const [note] = notes as [Imported['notes'][0]]
  expect(correctedNote({ ...note, list: 'Trips', tags: ['sea'] }, noCorrections).text).toBe(
    '# Ferry\n\nAt 8:40 #Trips\n\n#sea',
  )
})

test('lines are found by what becomes of them and by their words and remarks', async () => {
  const { rows } = await table('Title,Where\nMow the lawn,Lisbon\nCafé,\n')
  expect(countsOf(rows)).toEqual({ all: 2, tasks: 2, notes: 0, parts: 0, remarks: 1, nothing: 0 })
  const texts = (...[filter, search]: [Parameters<typeof shownRows>[1], string]) =>
    shownRows(rows, filter, search).map(({ text }) => text)
  expect(texts('all', 'CAFE')).toEqual(['Café'])
  expect(texts('all', 'lisbon mow')).toEqual(['Mow the lawn'])
  expect(texts('remarks', '')).toEqual(['Mow the lawn'])
  expect(texts('notes', '')).toEqual([])
  expect(texts('all', '')).toHaveLength(2)
})

test('what does not fit into the account is said, without what is there already', async () => {
  const imported = await table('Title\nOne\nTwo\nThree\n')
  const room = {
    tasks: { stored: 99_998, max: 100_000 },
    notes: { stored: 0, max: 10_000 },
    bytes: { stored: 0, max: 1_000_000 },
  }
  expect(lacking(imported, room, { stored: () => undefined })).toEqual([
    'Your account has room for 2 more tasks, and the import has 3 new ones. It stops when your account is full.',
  ])
  const known = imported.tasks[0]
  const stored = (id: string) => (id === known?._id ? { ...known, version: 1 } : undefined)
  expect(lacking(imported, room, { stored } as never)).toEqual([])
  const [full] = lacking(imported, { ...room, bytes: { stored: 990, max: 1000 } }, { stored } as never)
  expect(full).toMatch(
    /^Your account has room for 10 more bytes, and the import needs up to [\d,]+\. It stops/,
  )
})

test('the place of a line among many files is its row and the end of its path', () => {
  const place = { file: 'Export-9e4ce0d5.zip/Private/Tasks 2dd4c1f4/Mow the lawn 0b1c6a83.md' }
  expect(shownPlace(place, false)).toBe('Mow the lawn 0b1c6a83.md')
  expect(shownPlace({ ...place, row: 3 }, false)).toBe('row 3 of Mow the lawn 0b1c6a83.md')
  expect(shownPlace({ ...place, row: 1234 }, true)).toBe('Row 1,234')
})
