import { globSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defaultSettings } from '#contract/settings.ts'
import type { ImportFile, LastImport } from '../engine/imported.ts'
import { memoryStorage } from '../engine/testing/test-needs.ts'
import type { ReadAnswer, ReadRequest } from './import-worker.ts'
import { read } from './readers/read-files.ts'
import { file, zip } from './testing/import-files.ts'

const { call, readInWorker } = vi.hoisted(() => ({ call: vi.fn(), readInWorker: vi.fn() }))
vi.mock('../api/page-client.ts', async (original) => ({ ...(await original<object>()), call }))
vi.mock('./chosen-files.ts', () => ({ readInWorker }))

type Body = { import: string; tasks?: { _id: string }[]; notes?: object[]; versions?: object[] }
/** What the server has, and the bodies of the calls that import. */
let [there, sent, settings] = [new Set<string>(), [] as Body[], { ...defaultSettings }]

async function answer(name: string, { body }: { body?: unknown } = {}) {
  if (name === 'PATCH /settings') Object.assign(settings, (body as { settings: object }).settings)
  if (name.endsWith('/settings')) return { data: { settings: { ...settings } } }
  if (name === 'POST /import/undo') return { data: { removed: 1, kept: 0, next: null } }
  if (name === 'GET /import') return { data: { room: {} } }
  const { tasks = [], notes = [], versions = [] } = body as Body
  sent.push(body as Body)
  const outcomeOf = ({ _id }: { _id: string }) => (there.has(_id) ? 'existing' : 'added')
  const outcomes = tasks.map(outcomeOf)
  for (const { _id } of tasks) there.add(_id)
  return { data: { tasks: outcomes, notes: notes.map(() => 'added'), versions: versions.map(() => 'added') } }
}

/** A page that was loaded now, or another visit of the page that is loaded. */
async function newPage({ isLoaded = false } = {}) {
  if (!isLoaded) vi.resetModules()
  const page = await import('./running-import.ts')
  const { createEngine } = await import('../engine/engine.ts')
  const { pageNeeds } = await import('../state/page-needs.ts')
  const engine = createEngine({ ...pageNeeds(), call })
  return {
    importNow: () => page.importNow(engine),
    lastImport: () => page.lastImport(engine),
    leaveImport: () => page.leaveImport(engine),
    readFiles: (files: ImportFile[]) => page.readFiles(engine, files),
    /** Reads the first files of this page to their end. */
    async readToEnd(files: ImportFile[]) {
      page.readFiles(engine, files)
      await vi.waitFor(() => expect(page.importNow(engine).imported).toBeDefined())
    },
    startImport: (idOfTitle?: (title: string) => string | undefined) => page.startImport(engine, idOfTitle),
    undoImport: (last: LastImport) => page.undoImport(engine, last),
  }
}

/** As another account would be logged in. */
const logIn = (name: string) => localStorage.setItem('token', name.padEnd(30, '-'))

const table = (rows: number, name = 'Task') =>
  file('tasks.csv', `Title\n${Array.from({ length: rows }, (_, index) => `${name} ${index}\n`).join('')}`)

beforeEach(() => {
  ;[there, sent, settings] = [new Set(), [], { ...defaultSettings }]
  vi.stubGlobal('localStorage', memoryStorage())
  logIn('ann')
  vi.stubGlobal('window', new EventTarget())
  const page = { documentElement: { dataset: {} }, querySelectorAll: () => [] }
  vi.stubGlobal('document', Object.assign(new EventTarget(), page))
  vi.stubGlobal('navigator', { onLine: false })
  vi.spyOn(console, 'error').mockReturnValue()
  call.mockImplementation(answer)
  readInWorker.mockImplementation(async ({ files, options }: ReadRequest) => ({
    imported: await read(files, options),
  }))
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.resetModules()
  call.mockReset()
  readInWorker.mockReset()
})

test('Import that is pressed twice sends once, and files that come meanwhile are not read, which is said', async () => {
  const { importNow, readFiles, startImport } = await newPage()
  readFiles([table(300)])
  await vi.waitFor(() => expect(importNow().imported?.tasks).toHaveLength(300))
  const ended = [startImport(), startImport()]
  readFiles([table(1, 'Other')])
  expect(importNow()).toMatchObject({ isDeclined: true, sent: { running: expect.any(AbortController) } })
  await Promise.all(ended)
  expect(sent.map(({ tasks }) => tasks?.length)).toEqual([200, 100])
  expect(importNow().sent).toMatchObject({ running: undefined, counts: { added: 300 } })
  // Now they are read.
  readFiles([table(1, 'Other')])
  expect(importNow()).toMatchObject({ isDeclined: false, sent: undefined })
  await vi.waitFor(() => expect(importNow().imported?.tasks).toHaveLength(1))
})

test('of two files that are chosen one after the other, the last one is shown, and one that was left is not', async () => {
  const { importNow, leaveImport, readFiles } = await newPage()
  const slow = Promise.withResolvers<ReadAnswer>()
  readInWorker.mockImplementationOnce(async (_, signal: AbortSignal) => {
    const answer = await slow.promise
    signal.throwIfAborted()
    return answer
  })
  readFiles([table(1, 'First')])
  readFiles([table(2, 'Second')])
  await vi.waitFor(() => expect(importNow().imported?.tasks).toHaveLength(2))
  slow.resolve({ imported: await read([table(1)], { account: '', zone: 'UTC', now: new Date() }) })
  await slow.promise
  expect(importNow().imported?.tasks).toHaveLength(2)
  leaveImport()
  expect(importNow()).toMatchObject({ imported: undefined, files: [] })
})

test('the same file goes on as the same import after a reload and in another tab, and no other account sees it', async () => {
  const before = await newPage()
  await before.readToEnd([table(450)])
  // The answer of the second call is lost with the page.
  call.mockImplementation(async (name, input) => {
    if (name === 'POST /import' && sent.length === 1) return new Promise(() => {})
    return answer(name, input)
  })
  before.startImport()
  await vi.waitFor(() => expect(before.importNow().sent?.done).toBe(200))

  call.mockImplementation(answer)
  logIn('bob')
  expect((await newPage()).lastImport()).toBeUndefined()
  logIn('ann')
  const after = await newPage()
  expect(after.lastImport()).toMatchObject({ changed: 200, isEnded: false })
  await after.readToEnd([table(450)])
  await after.startImport()
  expect(new Set(sent.map(({ import: id }) => id)).size).toBe(1)
  expect(there.size).toBe(450)
  // What has ended begins another import.
  const third = await newPage()
  await third.readToEnd([table(450)])
  await third.startImport()
  expect(new Set(sent.map(({ import: id }) => id)).size).toBe(2)
  expect(third.importNow().sent?.counts).toEqual({ added: 0, existing: 450, restored: 0 })
})

test('without a network every few calls it waits, says so, and counts each item once; without a session it stops', async () => {
  const { importNow, readToEnd, startImport, undoImport } = await newPage()
  const { ProblemError } = await import('../api/client.ts')
  const problem = (status: number, detail: string) =>
    new ProblemError({ status, code: 'unavailable', detail } as never)
  await readToEnd([table(1000)])
  let calls = 0
  call.mockImplementation(async (name, input) => {
    if (name === 'POST /import' && calls++ % 2 === 0) throw problem(0, 'No connection.')
    return answer(name, input)
  })
  const waits: string[] = []
  // Whenever it waits, the connection comes back.
  const coming = setInterval(() => {
    const { sent } = importNow()
    if (sent?.waitsFor) waits.push(sent.waitsFor)
    window.dispatchEvent(new Event('online'))
  })
  await startImport()
  expect(importNow().sent).toMatchObject({ done: 1000, counts: { added: 1000 }, waitsFor: '', failure: '' })
  expect(new Set(waits)).toEqual(new Set(['No connection.']))

  const last = importNow().sent?.last as never
  call.mockRejectedValueOnce(problem(503, 'Too busy.')).mockRejectedValueOnce(problem(401, 'Log in again.'))
  await undoImport(last)
  clearInterval(coming)
  expect(importNow().undoing).toMatchObject({ isRunning: false, failure: 'Log in again.' })
  await undoImport(last)
  expect(importNow().undoing).toMatchObject({ isRunning: false, failure: '', removed: 1, next: null })
})

test('an undo restores the settings that the import has changed, except what was changed since', async () => {
  const { importNow, readToEnd, startImport, undoImport } = await newPage()
  const { changeSettings, settingsNow, syncSettings } = await import('../settings/settings-store.ts')
  const exported = await zip('daymark.zip', {
    'manifest.json': '{ "format": "daymark" }',
    'settings.jsonl': JSON.stringify({ ...defaultSettings, theme: 'dark', keys: false, ofLater: 1 }),
    'notes.jsonl': '',
    'tasks.jsonl': '',
  })
  await readToEnd([exported])
  await startImport()
  await syncSettings()
  expect(settings).toEqual({ ...defaultSettings, theme: 'dark', keys: false })
  changeSettings({ theme: 'light' })
  await undoImport(importNow().sent?.last as never)
  await syncSettings()
  expect(settings).toEqual({ ...defaultSettings, theme: 'light', keys: true })
  expect(settingsNow()).toEqual(settings)
})

test('a title in brackets of an imported note becomes a link to the note of the import or of the account that has it', async () => {
  const { importNow, readFiles, startImport } = await newPage()
  const text = '# Plan\n[[Budget]], [[Harbour]], [[Sea]]'
  readFiles([file('Plan.txt', text), file('Harbour.txt', 'Harbour\nopen')])
  await vi.waitFor(() => expect(importNow().imported?.notes).toHaveLength(2))
  const [, harbour] = importNow().imported?.notes ?? []
  await startImport((title) => (title === 'Budget' ? 'budget' : undefined))
  const notes = sent.flatMap(({ notes }) => notes ?? []) as { text: string }[]
  expect(notes[0]?.text).toContain(`[Budget](note:budget), [Harbour](note:${harbour?._id}), [[Sea]]`)
})

test('two visits in one process have imports of their own, and no module of the import keeps what is imported', async () => {
  const [one, other] = [await newPage(), await newPage({ isLoaded: true })]
  one.readFiles([table(3)])
  await vi.waitFor(() => expect(one.importNow().imported?.tasks).toHaveLength(3))
  expect(other.importNow()).toMatchObject({ files: [], imported: undefined })
  const files = globSync('web/importing/**/*.{ts,tsx}').filter((path) => !/\.test\.|\/testing\//.test(path))
  const keeping = /^(?:export )?(?:let |(?:const|var) \w+ = (?:createStore|new AbortController))/m
  expect(files.filter((path) => keeping.test(readFileSync(path, 'utf8')))).toEqual([])
})
