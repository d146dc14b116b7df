import { expect, onTestFinished, test, vi } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { createEngine } from './engine.ts'
import type { Entry, NewChange } from './entry.ts'
import { changeOf } from './journal/journal.ts'
import { taskWith } from './store/testing/task-with.ts'
import { testNeeds } from './testing/test-needs.ts'
import { prioritise } from './verbs/plan.ts'

const taskOf = (number: number) =>
  taskWith({ _id: `task ${number}`, title: `Task ${number}`, version: number })

type Sent = { item: string; base: number; group: string; set: { priority: Task['priority'] } }

/** A server that applies each change, except those of the items in `clashes`. Returns the changes of each call. */
function applyChanges(tasks: Task[], clashes: string[] = []) {
  const calls: Sent[][] = []
  let version = tasks.length
  const fetch = async (_: string, { body }: { body: string }) => {
    const { changes } = JSON.parse(body) as { changes: Sent[] }
    calls.push(changes)
    const items = changes.map(({ item, set }) => {
      const task = tasks.find(({ _id }) => _id === item)
      const outcome = clashes.includes(item) ? 'conflict' : 'applied'
      version++
      if (outcome === 'conflict') return { kind: 'task', outcome, item: task }
      return { kind: 'task', outcome, seq: version, item: { ...task, ...set, version } }
    })
    return Response.json({ items, cursor: `${version}.x` })
  }
  return { calls, fetch }
}

function startWith(count: number, clashes?: string[]) {
  const tasks = Array.from({ length: count }, (_, index) => taskOf(index + 1))
  const { calls, fetch } = applyChanges(tasks, clashes)
  const engine = createEngine(testNeeds({ fetch }))
  engine.store.put({ tasks })
  const { journal, history } = engine
  onTestFinished(journal.start())
  async function change() {
    engine.changes.make(tasks.map((task) => prioritise.make(task, 'high')))
    // All of them are shown before any is sent.
    const shown = tasks.map(({ _id }) => engine.store.task(_id)?.priority)
    await journal.answered()
    await new Promise(setImmediate)
    return shown
  }
  return {
    ...{ engine, tasks, change, calls },
    steps: () => history.getState().undo,
    notice: () => history.getState().notice,
  }
}

test('more than 200 tasks are changed in several calls and as few groups as can be undone', async () => {
  const { calls, change, steps } = startWith(2010)
  const shown = await change()
  expect(new Set(shown)).toEqual(new Set(['high']))
  expect(calls.map(({ length }) => length)).toEqual([...Array(10).fill(200), 10])
  expect(new Set(calls.flat().map(({ group }) => group)).size).toBe(2)
  expect(steps()).toMatchObject([
    { seq: 4010, verb: 'prioritise', to: 'high', count: 2000 },
    { seq: 4020, verb: 'prioritise', to: 'high', count: 10 },
  ])
})

test('one task is named, and one that has the values already is not sent', async () => {
  const { engine, tasks, calls, change, steps } = startWith(2)
  const [first] = tasks as [(typeof tasks)[number]]
  engine.store.put({ tasks: [{ ...first, priority: 'high' }] })
  await change()
  expect(calls.flat().map(({ item, base }) => [item, base])).toEqual([['task 2', 2]])
  expect(steps()).toMatchObject([{ seq: 3, verb: 'prioritise', title: 'Task 2' }])
})

test('a change for which the browser has no space is no step of Undo, and what was undone before can be redone', async () => {
  const { engine, change, steps, notice } = startWith(1)
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  const undone = { name: '1', verb: 'complete', title: 'Task 1' } as const
  engine.history.setState({ redo: [undone] })
  // Nothing more can be stored.
  Object.freeze(engine.needs.local)
  expect(await change()).toEqual(['low'])
  expect(steps()).toEqual([])
  expect(engine.history.getState().redo).toEqual([undone])
  await vi.waitFor(() =>
    expect(notice()).toMatchObject({
      about: 'rejected',
      text: 'This task was not changed. This browser has no space to keep it.',
    }),
  )
})

test('a task that another device has changed is shown as it is there, its change stays with the failure, and the others can be undone', async () => {
  const { engine, change, steps } = startWith(3, ['task 2'])
  vi.spyOn(console, 'error').mockReturnValue()
  await change()
  expect(engine.store.task('task 2')?.priority).toBe('low')
  expect(steps()).toMatchObject([{ seq: 6, to: 'high', count: 2 }])
  expect(Object.keys(steps()[0]?.values ?? {})).toEqual(['task 1', 'task 3'])
  const reason = 'It was changed elsewhere. It is shown as it is now.'
  expect(engine.journal.entries()).toMatchObject([{ item: 'task 2', failure: { status: 409, reason } }])
  expect(engine.changes.failures.getState()).toMatchObject({
    'task 2': { text: `This task was not changed. ${reason}` },
  })
})

test('the next change of an item takes the place of a rejected one that was told, and of no other item', async () => {
  const clashes = ['task 1', 'task 2']
  const { engine, tasks, calls, change } = startWith(3, clashes)
  vi.spyOn(console, 'error').mockReturnValue()
  await change()
  clashes.splice(0)
  engine.changes.make([prioritise.make(tasks[0] as Task, 'medium')])
  await engine.journal.answered()
  expect(calls.flat().map(({ item }) => item)).toEqual(['task 1', 'task 2', 'task 3', 'task 1'])
  expect(engine.journal.entries()).toMatchObject([{ item: 'task 2' }])
  expect(Object.entries(engine.changes.failures.getState()).filter(([, failure]) => failure)).toMatchObject([
    ['task 2', {}],
  ])
})

test('a rejected change can be made again as it was', async () => {
  const clashes = ['task 1']
  const { engine, calls, change } = startWith(1, clashes)
  vi.spyOn(console, 'error').mockReturnValue()
  await change()
  const [rejected] = engine.journal.entries()
  clashes.splice(0)
  engine.changes.make([changeOf(rejected as Entry) as NewChange])
  expect(engine.store.task('task 1')?.priority).toBe('high')
  await engine.journal.answered()
  expect(calls.flat().map(({ set }) => set)).toEqual([{ priority: 'high' }, { priority: 'high' }])
  expect(engine.journal.entries()).toEqual([])
})
