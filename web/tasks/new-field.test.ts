import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { emptyDatabase, onEveryEngine } from '../../server/testing/engines.ts'
import { exportedBy } from '../../server/testing/exported-files.ts'
import { taskWith } from '../engine/store/testing/task-with.ts'
import { file, options } from '../importing/testing/import-files.ts'

const root = join(import.meta.dirname, '../..')
const place = 'Café'

/** A nullable text, as somebody would add it to tasks: each file that is changed, with a line and what comes after it, or a new file. */
const additions: { path: string; after?: string; text: string }[] = [
  {
    path: 'contract/task-fields.ts',
    after: "    label: 'Body',\n    isLong: true,\n    isSearched: true,\n  },\n",
    text: `  place: {
    schema: { type: ['string', 'null'], format: 'text', maxLength: 200 },
    column: 'place',
    type: 'text',
    default: null,
    label: 'Place',
    isSearched: true,
  },
`,
  },
  {
    path: 'server/database/migrations/900-expand-places.ts',
    text: `import type { Migration } from '../migrate.ts'
import { addColumns } from '../new-columns.ts'

export const up: Migration['up'] = (db, types) => addColumns(db, types, 'tasks', [['place', 'text']])
`,
  },
  {
    path: 'web/tasks/card/task-card.tsx',
    after: '      {repeat}\n',
    text: '      {task.place && <span>At {task.place}</span>}\n',
  },
  {
    path: 'server/exporting/read-me.ts',
    after: "  title: 'a text in one line',\n",
    text: "  place: 'where it is done: a text, or null',\n",
  },
]

/** The folder of a copy of the project that has the field. */
let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(inject('folder'), 'new-field-'))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const filter = (path: string) => !basename(path).includes('.test.')
  for (const name of ['contract', 'server', 'web', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true, filter })
  for (const { path, after, text } of additions) {
    const parts = after === undefined ? ['', ''] : readFileSync(join(copy, path), 'utf8').split(after)
    expect([path, parts.length]).toEqual([path, 2])
    writeFileSync(join(copy, path), parts.join((after ?? '') + text))
  }
})

const fromCopy = <Module>(path: string): Promise<Module> => import(join(copy, path))

test('A new field of a task is complete with four files: no type asks for another', async () => {
  expect(new Set(additions.map(({ path }) => path)).size).toBe(4)
  // Page and server at once, which takes less time than one after the other.
  const project = {
    extends: './web/tsconfig.json',
    include: ['contract', 'server', 'web'],
    exclude: ['web/worker'],
  }
  writeFileSync(join(copy, 'tsconfig.both.json'), JSON.stringify(project))
  const compiler = join(root, 'node_modules/.bin/tsc')
  const faults = await new Promise((resolve) =>
    execFile(compiler, ['-p', 'tsconfig.both.json'], { cwd: copy }, (error, stdout) =>
      resolve(error ? stdout || error.message : ''),
    ),
  )
  expect(faults).toBe('')
})

test('A new field of a task is shown by the form, and on the card', async () => {
  const { TaskForm } = await fromCopy<typeof import('./form/task-form.tsx')>('web/tasks/form/task-form.tsx')
  const formState = await fromCopy<typeof import('./form/use-task-form.ts')>(
    'web/tasks/form/use-task-form.ts',
  )
  const { TaskCard } = await fromCopy<typeof import('./card/task-card.tsx')>('web/tasks/card/task-card.tsx')
  const task = { ...taskWith({}), place }
  const nothing = () => {}
  const props = {
    ...{ refusal: undefined, notice: undefined, action: 'Save' },
    ...{ onType: nothing, onSubmit: async () => {}, onCancel: nothing, onLeave: nothing },
  }
  const Form = () => createElement(TaskForm, { form: formState.useTaskForm(task), ...props })
  expect(renderToStaticMarkup(createElement(Form))).toMatch(/<label[^>]*>Place<.* name="place" value="Café"/)
  const card = { task, title: task.title, body: '', today: '2026-11-21', heading: 'h3' } as const
  expect(renderToStaticMarkup(createElement(TaskCard, card))).toContain('<span>At Café</span>')
})

test('A new field of a task is kept in what the server does not have yet', async () => {
  const path = 'web/engine/kept/unsent-values.ts'
  const { isUnsentValue } = await fromCopy<typeof import('../engine/kept/unsent-values.ts')>(path)
  const [mutation, item] = [taskWith({})._id, taskWith({})._id]
  const entry = { mutation, item, order: 1, at: 0, was: { place: null } }
  expect(isUnsentValue('outbox', { ...entry, set: { title: 'Lunch', place } })).toBe(true)
  expect(isUnsentValue('outbox', { ...entry, set: { title: 'Lunch', place: 5 } })).toBe(false)
})

onEveryEngine('a new field of a task', (engine) => {
  test('is added, listed, found, exported and imported, goes on to the next task, and has its default in an older export', async () => {
    const { startTestServer } = await fromCopy<typeof import('../../server/testing/test-server.ts')>(
      'server/testing/test-server.ts',
    )
    const { read } = await fromCopy<typeof import('../importing/readers/read-files.ts')>(
      'web/importing/readers/read-files.ts',
    )
    const server = await startTestServer(await emptyDatabase(engine))
    onTestFinished(server.close)
    const user = await server.newUser()
    const values = { place, repeat: 'FREQ=DAILY' }
    const { _id: item } = await user.addTask(values)
    const changes = [{ mutation: item, item, set: { done: true } }]
    expect((await user.call('POST /changes', { body: { changes } })).status).toBe(200)
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toMatchObject([{ place }])
    expect((await user.call('GET /search?q=cafe')).json.tasks).toMatchObject([{ place }, { place }])

    const { texts, linesOf } = await exportedBy(server.app, user)
    expect(linesOf('tasks')).toMatchObject([{ place }, { place }])
    expect(texts.get('README.md')).toContain('| `place` | where it is done: a text, or null |')

    async function importedFrom(files: ReturnType<typeof file>[]) {
      const tasks = (await read(files, options)).tasks.map(({ list: _, tags: __, ...task }) => task)
      const other = await server.newUser()
      expect((await other.call('POST /import', { body: { import: item, tasks } })).status).toBe(200)
      return (await exportedBy(server.app, other)).linesOf('tasks')
    }
    const files = [...texts].map(([name, text]) => file(name, text))
    expect(await importedFrom(files)).toEqual(linesOf('tasks'))
    const older = join(root, 'server/testing/stored/exports/0.2.0')
    const names = readdirSync(older).filter((name) => /\.jsonl?$/.test(name))
    const found = await importedFrom(names.map((name) => file(name, readFileSync(join(older, name)))))
    expect(new Set(found.map((task) => task.place))).toEqual(new Set([null]))
  })
})
