import { expect, onTestFinished, test, vi } from 'vitest'
import { ProblemError } from '../api/client.ts'
import { createStore } from '../store/store.ts'
import { taskWith } from '../store/testing/task-with.ts'
import { createAwaitedEntries } from './awaited-entries.ts'

const problem = (status: number) => new ProblemError({ type: 'about:blank', title: '', status, detail: '' })
const fails = (status: number) => () => Promise.reject(problem(status))
const [at, later] = ['2026-11-25T08:00:00Z', '2026-11-26T08:00:00Z']
const base = taskWith({ _id: 'a', title: 'Buy milk', version: 3 })

function start(answered: () => Promise<void> = async () => {}) {
  const store = createStore()
  store.put({ tasks: [base] })
  const remembered: number[] = []
  const awaited = createAwaitedEntries(store, { answered }, (_, { version }) => remembered.push(version))
  const report = async (values: object) => {
    store.put({ tasks: [{ ...base, ...values }] })
    await Promise.resolve()
  }
  return { awaited, report, remembered }
}

const edit = {
  verb: 'edit',
  item: 'a',
  version: 3,
  made: { title: 'Buy tea' },
  before: {},
  after: {},
} as const
const deletion = { ...edit, verb: 'delete', made: { deletedAt: at } } as const

test('A call waits 20 seconds for the earlier changes of its item, then fails without being made, and the log is not asked for it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { awaited, report, remembered } = start(() => new Promise(() => {}))
  const call = vi.fn()
  const outcome = awaited.send(edit, call).catch(({ message }) => message)
  await vi.advanceTimersByTimeAsync(19_999)
  expect(await Promise.race([outcome, 'waits'])).toBe('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect(await outcome).toBe('The server has not answered the changes before it.')
  expect(call).not.toHaveBeenCalled()
  expect(awaited.lostOf(edit)).toEqual([])
  await report({ version: 4, title: 'Buy tea' })
  expect(remembered).toEqual([])
})

test.each([400, 401, 409, 412, 413, 500])(
  'An edit that was answered %i is withdrawn, and the log is not asked for it',
  async (status) => {
    const { awaited } = start()
    await expect(awaited.send(edit, fails(status))).rejects.toThrow()
    expect(awaited.lostOf(edit)).toEqual([])
  },
)

test('An edit without an answer becomes a step of Undo once, when the log shows it, and is forgotten when its task changes again', async () => {
  const { awaited, report, remembered } = start()
  await expect(awaited.send(edit, fails(502))).rejects.toThrow()
  expect(awaited.lostOf(edit)).toEqual([edit])
  await report({ version: 4, title: 'Buy tea' })
  await report({ version: 5, title: 'Buy tea', priority: 'high' })
  expect(remembered).toEqual([4])
  await report({ version: 6, title: 'Buy milk' })
  expect(awaited.lostOf(edit)).toEqual([])
})

test('A deletion without an answer that a repeated call has not found is a step of Undo when the log shows it, and that of another person later is none', async () => {
  for (const isOther of [false, true]) {
    const { awaited, report, remembered } = start()
    await expect(awaited.send(deletion, fails(0))).rejects.toThrow()
    awaited.markStored(deletion)
    expect(awaited.lostOf(deletion)).toEqual([])
    if (isOther) await report({ version: 5 })
    await report({ version: 6, deletedAt: later })
    expect(remembered).toEqual(isOther ? [] : [6])
  }
})

test('A repeated edit whose answer shows a later change of another person is no step of Undo', async () => {
  const { awaited, remembered } = start()
  await expect(awaited.send(edit, fails(0))).rejects.toThrow()
  awaited.confirm(edit, { ...base, version: 5, title: 'Buy coffee' })
  expect(remembered).toEqual([])
  expect(awaited.lostOf(edit)).toEqual([])
})
