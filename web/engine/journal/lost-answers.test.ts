import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Call } from '#contract/api.ts'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../../api/client.ts'
import { createEngine } from '../engine.ts'
import type { Change, ItemSet, Verb } from '../entry.ts'
import { settled } from '../store/testing/log-server.ts'
import { ChangeServer } from '../testing/change-server.ts'
import { testNeeds } from '../testing/test-needs.ts'
import { remove } from '../verbs/complete.ts'
import type { Result } from './entries.ts'
// Loaded before the tests, as with the first use of the page.
import './ways.ts'

/** How a call ends. A lost one reaches the server or not, and gets no answer or that of a gateway. */
type Fate = { isLost: false } | { isLost: true; isApplied: boolean; status: number }

const answered: Fate = { isLost: false }
const fate = fc.oneof(
  fc.constant(answered),
  fc.record({
    isLost: fc.constant(true as const),
    isApplied: fc.boolean(),
    status: fc.constantFrom(0, 0, 408, 429, 502, 503, 504, 522),
  }),
)

type Body = Call<'POST /changes'>['body']

/** A page that has opened the dashboard. Its calls wait for their fate, and it tries again only when it is woken. */
class Page {
  readonly server = new ChangeServer()
  readonly engine
  readonly journal
  readonly history
  readonly undo
  readonly stop: () => void
  calls: ((fate: Fate) => void)[] = []
  told: Error[] = []

  constructor(titles: string[]) {
    for (const title of titles)
      this.server.edit(title, { title, body: '- [ ] line', dueDate: '2026-11-25', priority: 'low' })
    this.engine = createEngine(
      testNeeds({ fetch: (url: string, init: RequestInit) => this.fetch(url, init) }),
    )
    this.journal = this.engine.journal
    this.history = this.engine.history
    this.undo = this.engine.undo
    const replication = this.engine.replication
    replication.start({
      begin() {},
      async wait() {},
      fetch: async (since) => this.server.changes(since, 100),
    })
    replication.answered(this.server.cursor)
    this.stop = this.journal.start()
  }

  fetch(url: string, { method, body, headers }: RequestInit) {
    return new Promise<Response>((resolve, reject) => {
      this.calls.push((fate) => {
        const answer =
          !fate.isLost || fate.isApplied ? this.answerTo(`${method} ${url}`, body, headers) : undefined
        if (!fate.isLost && answer) resolve(answer)
        else if (fate.isLost && fate.status !== 0) resolve(new Response('<h1>', { status: fate.status }))
        else reject(new TypeError())
      })
    })
  }

  answerTo(call: string, body: unknown, headers: unknown): Response {
    try {
      const [, path = '', name] = /\/(changes|list)\/?([^/?]*)/.exec(call) ?? []
      if (path === 'list') return this.delete(call.split('/').at(-1) ?? '')
      const requests = name
        ? [
            {
              mutation: new Headers(headers as HeadersInit).get('idempotency-key') ?? '',
              item: '',
              undo: { seq: Number(name), isGroup: call.includes('group=true') },
            },
          ]
        : (JSON.parse(String(body)) as Body).changes
      const items: Result[] = this.server.send(requests).flat()
      return Response.json({ items, cursor: this.server.cursor })
    } catch (error) {
      const problem = problemFrom(error)?.problem
      if (!problem) throw error
      return Response.json(problem, { status: problem.status })
    }
  }

  /** The specified call, which may find nothing to delete. */
  delete(id: string): Response {
    const task = this.server.state.tasks.get(id)
    if (!task || task.deletedAt !== null) return Response.json({}, { status: 404 })
    this.server.edit(id, { deletedAt: '2026-11-25T08:00:00Z' })
    return Response.json({}, { headers: { 'changes-cursor': this.server.cursor } })
  }

  task = (id: string) => this.engine.store.task(id)
  catchUp = () => this.engine.replication.onCursor(this.server.cursor)
  wake = () => this.engine.needs.tell('online')

  async make(changes: Change[], verb: Verb, isTyped = false) {
    const failures = await this.engine.changes.attempt(
      changes.map((change) => ({ ...change, verb })),
      isTyped ? { typed: { text: 'typed', dismissed: [] } } : {},
    )
    this.told.push(...failures.map(({ error }) => error))
  }

  /** Lets everything that waits happen. */
  async end() {
    for (let rounds = 0; rounds < 200; rounds++) {
      this.catchUp()
      await idle()
      if (this.calls.length === 0 && this.journal.entries().length === 0) return
      for (const call of this.calls.splice(0)) call(answered)
      this.wake()
      await idle()
    }
  }
}

async function idle() {
  for (let turns = 0; turns < 5; turns++) await settled()
}

/** What is kept of a task in the model: of the times, only whether there is one. */
type Values = Partial<Record<'title' | 'dueDate' | 'priority' | 'done' | 'deleted' | 'body', unknown>>

const valuesOf = ({ title, dueDate, priority, doneAt, deletedAt, body }: Task): Values => ({
  title,
  dueDate,
  priority,
  body,
  done: doneAt !== null,
  deleted: deletedAt !== null,
})

/** A task whose addition was taken back may never have reached the server. */
const isHere = ([, { deleted }]: readonly [string, Values]) => !deleted

/** What a person expects: each change and each undo takes effect once, in the order of the presses. */
class Model {
  tasks = new Map<string, Values>()
  steps: Record<'undo' | 'redo', { of: string; before: Values; after: Values }[][]> = { undo: [], redo: [] }

  change(changes: { of: string; set: Values }[]) {
    const step = changes.flatMap(({ of, set }) => {
      const { [of]: task = { deleted: true } as Values } = Object.fromEntries(this.tasks)
      const names = Object.keys(set).filter(
        (name) => task[name as keyof Values] !== set[name as keyof Values],
      )
      const before = Object.fromEntries(names.map((name) => [name, task[name as keyof Values]]))
      const after = Object.fromEntries(names.map((name) => [name, set[name as keyof Values]]))
      return names.length > 0
        ? [{ of, before: task.title === undefined ? { deleted: true } : before, after }]
        : []
    })
    for (const { of, set } of changes) this.tasks.set(of, { ...this.tasks.get(of), ...set })
    if (step.length === 0) return
    this.steps.undo.push(step)
    this.steps.redo = []
  }

  reverse(direction: 'undo' | 'redo') {
    const step = this.steps[direction].pop()
    if (!step) return
    for (const { of, before, after } of step)
      this.tasks.set(of, { ...this.tasks.get(of), ...(direction === 'undo' ? before : after) })
    this.steps[direction === 'undo' ? 'redo' : 'undo'].push(step)
  }
}

const action = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      names: fc.oneof(fc.tuple(fc.nat(5)), fc.uniqueArray(fc.nat(3), { minLength: 2 })),
      set: fc.constantFrom<ItemSet>(
        { dueDate: '2026-11-26' },
        { dueDate: '2026-11-27' },
        { dueDate: '2026-11-28' },
        { priority: 'high' },
        { done: true },
        { done: false },
        { deleted: true },
      ),
      isBased: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tick' as const), name: fc.nat(5) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('undo' as const, 'undo', 'redo') }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('network' as const), fate }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('stream' as const) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('wake' as const) }) },
)

/** `npm run torture` runs thousands. */
const numRuns = process.env.TORTURE ? 5000 : 300

const wait = setTimeout
beforeAll(() => {
  // A script does not wait for the next attempt.
  vi.stubGlobal('setTimeout', (work: () => void, delay = 0) => (delay < 500 ? setImmediate(work) : 0))
  vi.stubGlobal('clearTimeout', () => {})
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => {
  globalThis.setTimeout = wait
  vi.unstubAllGlobals()
})

test('When answers are lost, each change of a page and each undo takes effect once and in order, and no clash is told', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60, size: 'max' }), async (script) => {
      const names = ['a', 'b', 'c']
      const page = new Page(names)
      await idle()
      const model = new Model()
      for (const id of names) model.tasks.set(id, valuesOf(page.task(id) as Task))
      const shownOf = (tasks: Iterable<Task>) =>
        Object.fromEntries([...tasks].map((task) => [task._id, valuesOf(task)] as const).filter(isHere))
      const expected = () => Object.fromEntries([...model.tasks].filter(isHere))
      for (const step of script) {
        if (step.kind === 'add') {
          const id = `new ${names.length}`
          names.push(id)
          const set = { title: id, dueDate: '2026-11-25', priority: 'low' } as const
          page.make([{ item: id, set }], 'add', true)
          model.change([{ of: id, set: { ...set, body: '', done: false, deleted: false } }])
        }
        if (step.kind === 'set') {
          const tasks = step.names.flatMap((index) => page.task(names[index] ?? '') ?? [])
          const shown = tasks.filter(({ deletedAt }) => deletedAt === null)
          const changes = shown.map(({ _id, version }) => ({
            item: _id,
            ...(step.isBased && { base: version }),
            set: step.set,
          }))
          if (changes.length > 0) page.make(changes, 'edit')
          model.change(shown.map(({ _id }) => ({ of: _id, set: step.set as Values })))
        }
        if (step.kind === 'tick') {
          const task = page.task(names[step.name] ?? '')
          if (task?.deletedAt === null && task.body) {
            const checked = !task.body.includes('[x]')
            page.make([{ item: task._id, check: { line: 0, text: 'line', checked } }], 'edit')
            model.change([{ of: task._id, set: { body: checked ? '- [x] line' : '- [ ] line' } }])
          }
        }
        if (step.kind === 'undo' || step.kind === 'redo') {
          page.undo.reverse(step.kind)
          model.reverse(step.kind)
        }
        if (step.kind === 'network') page.calls.shift()?.(step.fate)
        if (step.kind === 'stream') page.catchUp()
        if (step.kind === 'wake') page.wake()
        await idle()
        expect(shownOf(page.engine.store.tasks())).toEqual(expected())
      }
      await page.end()
      page.stop()
      expect(page.journal.entries()).toEqual([])
      expect(page.told).toEqual([])
      expect(page.history.getState().notice?.about).not.toBe('failed')
      expect(page.server.effective).toEqual([...new Set(page.server.effective)])
      expect(shownOf(page.server.state.tasks.values())).toEqual(expected())
    }),
    { numRuns },
  )
}, 600_000)

test('A press of Undo that waits for a deletion does not undo a change that was made after it', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const page = new Page(['a', 'b'])
  await idle()
  const { makeAwaited } = page.engine.changes
  const deleted = makeAwaited(remove.make({ _id: 'a' }), { over: page.task('a') as Task }).catch(() => {})
  await idle()
  const undone = page.undo.reverse('undo')
  page.make([{ item: 'b', set: { priority: 'high' } }], 'prioritise')
  page.calls.shift()?.({ isLost: true, isApplied: false, status: 503 })
  await Promise.all([deleted, undone])
  await page.end()
  page.stop()
  expect(page.server.state.tasks.get('b')?.priority).toBe('high')
  expect(page.task('a')?.deletedAt).toBeNull()
})

test('A deletion whose call was lost and that is kept is one step, which is undone and redone once it is sent', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const page = new Page(['a'])
  await idle()
  const over = page.task('a') as Task
  const unanswered: Fate = { isLost: true, isApplied: false, status: 503 }
  const { makeAwaited, make } = page.engine.changes
  const deleted = makeAwaited(remove.make(over), { over }).catch(() => 'not answered')
  await idle()
  page.calls.shift()?.(unanswered)
  expect(await deleted).toBe('not answered')
  make([remove.make(over)], { isKept: true })
  await idle()
  page.calls.shift()?.(unanswered)
  await idle()
  await page.undo.reverse('undo')
  await page.end()
  expect(page.task('a')?.deletedAt).toBeNull()
  await page.undo.reverse('redo')
  await page.end()
  expect(page.task('a')?.deletedAt).not.toBeNull()
  const { undo, redo } = page.history.getState()
  expect([undo.length, redo.length]).toEqual([1, 0])
  page.stop()
})

test('A change that another tab has sent while the page was closed can no longer be undone, which is told at once', async () => {
  const page = new Page(['a'])
  const values = { a: { before: { priority: 'low' }, after: { priority: 'high' } } }
  page.history.getState().add({ name: 'sent elsewhere', verb: 'prioritise', item: 'a', title: 'a', values })
  await page.undo.reverse('undo')
  expect(page.history.getState()).toMatchObject({ undo: [], redo: [], notice: { about: 'failed' } })
  expect(page.journal.entries()).toEqual([])
  page.stop()
})

test('Undo takes back the tasks that the bar counts as one step, also when the bar has gone, and a task that was completed after it alone', async () => {
  const page = new Page(['a', 'b', 'c'])
  await idle()
  const { getState } = page.history
  const complete = (item: string) => page.make([{ item, set: { done: true } }], 'complete')
  const done = () => ['a', 'b', 'c'].filter((id) => page.task(id)?.doneAt !== null)
  for (const item of ['a', 'b']) complete(item)
  await page.end()
  expect(getState().notice?.steps).toHaveLength(2)
  getState().dismiss()
  complete('c')
  await page.end()
  expect(getState().notice?.steps).toHaveLength(1)
  const expectAfter = async (direction: 'undo' | 'redo', left: string[]) => {
    await page.undo.reverseRun(direction)
    await page.end()
    expect(done()).toEqual(left)
  }
  await expectAfter('undo', ['a', 'b'])
  await expectAfter('undo', [])
  expect(getState().notice).toMatchObject({ about: 'undone', steps: [{ item: 'b' }, { item: 'a' }] })
  await expectAfter('redo', ['a', 'b'])
  await expectAfter('redo', ['a', 'b', 'c'])
  page.stop()
})

test('A rejected undo is taken back, also if the server has rejected one from before the last change first', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const page = new Page(['a', 'b', 'c', 'd'])
  await idle()
  for (const item of ['a', 'b', 'c']) page.make([{ item, set: { priority: 'high' } }], 'prioritise')
  await page.end()
  await page.undo.reverse('undo')
  await page.undo.reverse('undo')
  page.make([{ item: 'd', set: { priority: 'high' } }], 'prioritise')
  await page.undo.reverse('undo')
  await page.undo.reverse('undo')
  for (const id of ['a', 'c']) page.server.edit(id, { priority: 'medium' })
  await page.end()
  const { undo, redo } = page.history.getState()
  expect([undo.map(({ item }) => item), redo.map(({ item }) => item)]).toEqual([['b'], ['d']])
  page.stop()
})

test('A line whose answer was lost is there once or deleted, whatever becomes of the calls that delete it', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 8 }), async (fates) => {
      const page = new Page([])
      await idle()
      const set = { title: 'Lost line', dueDate: '2026-11-25', priority: 'low' } as const
      page.make([{ item: 'a', set }], 'add', true)
      await idle()
      page.calls.shift()?.(fates.shift() ?? answered)
      await idle()
      const params = { id: 'a' }
      const remove = () =>
        page.journal
          .answered('a')
          .then(() => page.engine.needs.call('DELETE /list/deleteTask/:id', { params }))
      const deleted = remove().then(
        () => true,
        (error) => problemFrom(error)?.status === 404 && 'not found',
      )
      await idle()
      for (const fate of fates) {
        page.calls.shift()?.(fate)
        await idle()
      }
      await page.end()
      page.stop()
      const outcome = await deleted
      expect(page.journal.entries()).toEqual([])
      expect(page.told).toEqual([])
      expect(outcome, 'The call follows the addition').not.toBe('not found')
      const task = page.server.state.tasks.get('a')
      expect(task).toMatchObject(outcome ? { deletedAt: expect.any(String) } : { title: 'Lost line' })
      expect(page.server.effective).toHaveLength(1)
    }),
    { numRuns },
  )
})
