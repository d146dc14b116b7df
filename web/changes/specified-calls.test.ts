import { expect, onTestFinished, test, vi } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { createDashboard } from '../state/dashboard.tsx'
import { taskWith } from '../store/testing/task-with.ts'
import { deleteTask } from './delete.tsx'
import { edit } from './edit.tsx'
import { prioritise } from './prioritise.tsx'

vi.mock('../ui/toasts.tsx', () => ({ dashboardToast: { success() {}, error() {} } }))

const base = taskWith({ _id: 'a', title: 'Buy milk', version: 3 })
const values = ({ title, body, dueDate, priority }: Task) => ({ title, body, dueDate, priority })
const [at, later] = ['2026-11-25T08:00:00Z', '2026-11-26T08:00:00Z']

/** A page with one task. Each call is answered by its next outcome: a status, 0 for no answer, and for an edit perhaps the task. */
function start(...outcomes: { status: number; task?: Task }[]) {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.stubGlobal('localStorage', { getItem: () => null, setItem() {}, removeItem() {} })
  vi.stubGlobal('document', { visibilityState: 'visible', querySelector: () => ({}) })
  vi.stubGlobal('CSS', { escape: String })
  vi.stubGlobal('window', new EventTarget())
  const fetched = vi.fn(async (_: string, __: RequestInit) => {
    const { status = 200, task } = outcomes.shift() ?? {}
    if (status === 0) throw new TypeError()
    return Response.json({ task }, { status })
  })
  vi.stubGlobal('fetch', fetched)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { store, changes, journal, history } = createDashboard()
  store.put({ tasks: [base] })
  return {
    changes,
    fetched,
    steps: () => history.getState().undo.flatMap(({ seq }) => seq ?? []),
    entries: journal.entries,
    title: () => store.task('a')?.title,
    waiting: () => journal.awaited().length,
    told: () => changes.failures.getState().a?.text,
    save: () => changes.makeAwaited(edit(base, { ...values(base), title: 'Buy tea' }), { over: base }),
    async remove() {
      await changes.make([deleteTask(base)], { isAwaited: true, over: base })
      // The page looks for its card.
      await new Promise((rendered) => setTimeout(rendered))
    },
    async report(reported: Partial<Task>) {
      store.put({ tasks: [{ ...base, ...reported }] })
      await Promise.resolve()
    },
  }
}

test('A card no longer says that its task was not deleted when the task is edited', async () => {
  const { remove, save, told } = start({ status: 500 })
  await remove()
  expect(told()).toMatch(/^This task was not deleted\./)
  await save()
  expect(told()).toBeUndefined()
})

test('An awaited change is shown when its call has succeeded, and until then no reader of the journal sees it', async () => {
  const { save, entries, title } = start()
  const saved = save()
  expect([entries(), title()]).toEqual([[], 'Buy milk'])
  await saved
  expect([entries(), title()]).toEqual([[], 'Buy tea'])
})

test('A call waits 20 seconds for the earlier changes of its item, then fails without being made, and the log is not asked for it', async () => {
  const { changes, fetched, save, report, steps } = start()
  changes.make([prioritise(base, 'high')])
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const outcome = save().catch(({ message }) => message)
  await vi.advanceTimersByTimeAsync(19_999)
  expect(await Promise.race([outcome, 'waits'])).toBe('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect(await outcome).toBe('The server has not answered the changes before it.')
  expect(fetched).not.toHaveBeenCalled()
  await report({ version: 4, title: 'Buy tea' })
  expect(steps()).toEqual([])
})

test.each([400, 401, 409, 412, 413, 500])(
  'An edit that was answered %i is withdrawn, and the log is not asked for it',
  async (status) => {
    const { save, waiting } = start({ status })
    await expect(save()).rejects.toThrow()
    expect(waiting()).toBe(0)
  },
)

test('An edit without an answer becomes a step of Undo once, when the log shows it, and is forgotten when its task changes again', async () => {
  const { save, report, steps, waiting } = start({ status: 502 })
  await expect(save()).rejects.toThrow()
  expect([steps(), waiting()]).toEqual([[], 1])
  await report({ version: 4, title: 'Buy tea' })
  await report({ version: 5, title: 'Buy tea', priority: 'high' })
  expect(steps()).toEqual([4])
  await report({ version: 6, title: 'Buy milk' })
  expect(waiting()).toBe(0)
})

test('A deletion without an answer that a repeated call has not found is a step of Undo when the log shows it, and that of another person later is none', async () => {
  for (const isOther of [false, true]) {
    const { remove, report, steps, told } = start({ status: 0 }, { status: 404 })
    await remove()
    expect(told()).toMatch(/^This task was not deleted\./)
    await remove()
    expect(told()).toBeUndefined()
    if (isOther) await report({ version: 5 })
    await report({ version: 6, deletedAt: isOther ? later : at })
    expect(steps()).toEqual(isOther ? [] : [6])
  }
})

test('A repeated edit whose answer shows a later change of another person is no step of Undo', async () => {
  const { save, steps, waiting } = start(
    { status: 0 },
    { status: 200, task: { ...base, version: 5, title: 'Buy coffee' } },
  )
  await expect(save()).rejects.toThrow()
  await save()
  expect([steps(), waiting()]).toEqual([[], 0])
})
