import { expect, onTestFinished, test, vi } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { createEngine } from './engine.ts'
import { taskWith } from './store/testing/task-with.ts'
import { testNeeds } from './testing/test-needs.ts'
import { add, edit } from './verbs/add-edit.ts'
import { remove } from './verbs/complete.ts'
import * as derived from './verbs/derived-changes.ts'
import { prioritise } from './verbs/plan.ts'

const base = taskWith({ _id: 'a', title: 'Buy milk', version: 3 })
const values = ({ title, body, dueDate, priority }: Task) => ({ title, body, dueDate, priority })
const [at, later] = ['2026-11-25T08:00:00Z', '2026-11-26T08:00:00Z']

/**
 * A page with one task. Each call is answered by its next outcome: a status, 0 for no answer, and for an edit perhaps the task, or the newer one. `before` the
 * answer, something happens.
 */
function start(...outcomes: { status: number; task?: Task; current?: Task; before?: () => void }[]) {
  vi.spyOn(console, 'error').mockReturnValue()
  const fetched = vi.fn(async (_: string, __: RequestInit) => {
    const { status = 200, task, current, before } = outcomes.shift() ?? {}
    before?.()
    if (status === 0) throw new TypeError()
    return Response.json(current ? { current, status, type: '', detail: '' } : { task }, { status })
  })
  const { store, changes, journal, history, repeats } = createEngine(testNeeds({ fetch: fetched }))
  store.put({ tasks: [base] })
  return {
    ...{ ...journal, changes, repeats, fetched, store },
    steps: () => history.getState().undo.flatMap(({ seq }) => seq ?? []),
    title: () => store.task('a')?.title,
    told: () => changes.failures.getState().a?.text,
    save: () => changes.makeAwaited(edit.make(base, { ...values(base), title: 'Buy tea' }), { over: base }),
    async remove() {
      await changes
        .makeAwaited(remove.make(base), { over: base })
        .catch((error) => changes.explain({ item: 'a', verb: 'delete' }, error))
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
  const { save, entries, subscribe, title } = start()
  const told = vi.fn()
  subscribe(told)
  const saved = save()
  expect([entries(), title()]).toEqual([[], 'Buy milk'])
  await saved
  expect([entries(), title()]).toEqual([[], 'Buy tea'])
  expect(told).not.toHaveBeenCalled()
})

test.each([200, 409, 404, 0])('A card stays as it is until its save is answered with %i', async (status) => {
  let shown: Task | undefined
  const { save, report, store } = start({
    status,
    before() {
      report({ version: 4, title: 'Buy coffee', dueDate: '2026-12-01', doneAt: at })
      shown = store.task('a')
    },
  })
  await save().catch(() => {})
  await new Promise((told) => setTimeout(told))
  expect(shown).toMatchObject(base)
  expect(store.task('a')?.title).toBe(status === 404 ? undefined : 'Buy coffee')
})

test('A card whose task is being saved shows a change that is made here, and after 20 seconds without an answer what the log has reported', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (const isChanged of [true, false]) {
    const { changes, fetched, save, report, title, entries, withdraw } = start()
    fetched.mockReturnValue(new Promise(() => {}))
    changes.make([prioritise.make({ ...base, _id: 'b' }, 'high')])
    save()
    withdraw(...entries())
    await report({ version: 4, title: 'Buy coffee' })
    if (isChanged) changes.make([prioritise.make(base, 'high')])
    else await vi.advanceTimersByTimeAsync(19_999)
    expect(title()).toBe(isChanged ? 'Buy coffee' : 'Buy milk')
    await vi.advanceTimersByTimeAsync(1)
    expect(title()).toBe('Buy coffee')
  }
})

test('A call waits 20 seconds for the earlier changes of its item, then fails without being made, and the log is not asked for it', async () => {
  const { changes, fetched, save, report, steps } = start()
  changes.make([prioritise.make(base, 'high')])
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
    const { save, report, steps } = start({ status })
    await expect(save()).rejects.toThrow()
    await report({ version: 4, title: 'Buy tea' })
    expect(steps()).toEqual([])
  },
)

test('An edit without an answer becomes a step of Undo once, when the log shows it, and is forgotten when its task changes again', async () => {
  const { save, report, steps } = start({ status: 502 })
  await expect(save()).rejects.toThrow()
  expect(steps()).toEqual([])
  await report({ version: 4, title: 'Buy tea' })
  await report({ version: 5, title: 'Buy tea', priority: 'high' })
  expect(steps()).toEqual([4])
  await report({ version: 6, title: 'Buy milk' })
  await report({ version: 7, title: 'Buy tea' })
  expect(steps()).toEqual([4])
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
  const { save, report, steps } = start(
    { status: 0 },
    { status: 200, task: { ...base, version: 5, title: 'Buy coffee' } },
  )
  await expect(save()).rejects.toThrow()
  await save()
  await report({ version: 6, title: 'Buy tea' })
  expect(steps()).toEqual([])
})

test('A card stays and says that its task was deleted elsewhere, also if the log has reported the deletion before the answer', async () => {
  const { remove, store, told, report } = start({
    status: 404,
    before: () => void report({ version: 4, deletedAt: at }),
  })
  await remove()
  expect(told()).toBe('This task was deleted elsewhere.')
  expect(store.task('a')?.deletedAt).toBeNull()
})

test('An edit sends no rule of a repeat that another device has changed since the dialog was opened', async () => {
  const { repeats, fetched, save, report } = start()
  Object.assign(repeats, derived)
  await report({ version: 4, repeat: 'FREQ=DAILY', repeatDay: base.dueDate })
  await save()
  const body = String(fetched.mock.calls[0]?.[1].body)
  expect(JSON.parse(body)).toEqual({ ...values(base), title: 'Buy tea' })
})

test('A deletion without an answer is a step of Undo when the log shows it, also of a task that was changed elsewhere before it', async () => {
  const { remove, report, steps } = start({ status: 0 })
  await remove()
  await report({ version: 4, title: 'Buy coffee' })
  await report({ version: 5, title: 'Buy coffee', deletedAt: at })
  expect(steps()).toEqual([5])
})

test('An added repeat without an answer is a step of Undo when the log shows it, also before the code of repeats has loaded', async () => {
  const { changes, report, steps } = start({ status: 0 })
  const draft = { ...values(base), repeat: 'FREQ=DAILY' }
  await expect(changes.makeAwaited(add.make('b', draft), { mutation: 'b' })).rejects.toThrow()
  await report({ ...draft, _id: 'b', version: 4, repeatDay: base.dueDate, series: 'b' })
  await new Promise((remembered) => setTimeout(remembered))
  expect(steps()).toEqual([4])
})

test.each([true, false])('An edit that is repeated does not clash with itself: %s', async (isShown) => {
  const made = { ...base, title: 'Buy tea', version: 4 }
  const { changes, fetched, save, report, steps } = start(
    { status: 504 },
    { status: 409, current: made },
    { status: 200, task: { ...made, title: 'Buy green tea', version: 5 } },
  )
  await expect(save()).rejects.toThrow()
  if (isShown) await report(made)
  await changes.makeAwaited(edit.make(base, { ...values(base), title: 'Buy green tea' }), { over: base })
  const versions = fetched.mock.calls.map(([, { headers }]) => new Headers(headers).get('if-match'))
  expect([versions, steps()]).toEqual([['"3"', '"3"', '"4"'], isShown ? [4, 5] : [5]])
})
