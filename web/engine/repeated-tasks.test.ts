import { expect, test } from 'vitest'
import { nextId } from '#contract/repeats.ts'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from './entry.ts'
import { sorted } from './testing/stepped-account.ts'
import { catchUp, idle, SteppedBrowser, type SteppedTab, serve } from './testing/stepped-browser.ts'
import { edit } from './verbs/add-edit.ts'
import { complete, remove, reopen } from './verbs/complete.ts'
import { move } from './verbs/plan.ts'

const { openAccount } = serve()
const dayLength = 86_400_000

/** Two devices of an account with a task that repeats daily and another task. The clock of the second may be a day ahead. */
async function openDevices(ahead = 0) {
  const daily = { title: 'daily', dueDate: '2026-11-20', repeat: 'FREQ=DAILY' }
  const { account, ids } = await openAccount([daily, { title: 'other' }])
  const browsers = [new SteppedBrowser(account), new SteppedBrowser(account, { ahead })] as const
  const [one, two] = browsers.map(({ tabs }) => tabs[0]) as [SteppedTab, SteppedTab]
  await catchUp([one, two])
  const [first = '', other = ''] = ids
  return { account, one, two, first, other, next: nextId(first, first) }
}

function make({ browser, engine, task }: SteppedTab, item: string, verb: (task: Task) => NewChange) {
  browser.setTime()
  return engine.changes.attempt([verb(task(item) as Task)])
}

test('Without a network, two devices complete the same task and change what follows, and nothing is asked or lost', async () => {
  const { one, two, first, next } = await openDevices(dayLength)
  for (const each of [one, two]) {
    each.browser.isOffline = true
    make(each, first, complete.make)
  }
  make(one, next, (task) => edit.make(task, { ...task, priority: 'high' }))
  make(two, next, (task) => edit.make(task, { ...task, title: 'Vitamins' }))
  make(two, next, (task) => move.make(task, '2026-12-24'))
  make(two, next, (task) => edit.make(task, { ...task, title: 'Vitamin D' }))
  for (const each of [one, two]) {
    each.browser.isOffline = false
    // The log comes after the answers.
    for (let left = 60; left > 0 && each.journal.entries().length > 0; left--) {
      each.wake()
      await idle()
      await each.step('answer', each.calls.length - 1)
      await idle()
    }
    expect(each.journal.entries()).toEqual([])
  }
  await catchUp([one, two])
  for (const each of [one, two])
    expect(each.task(next)).toMatchObject({
      ...{ title: 'Vitamin D', priority: 'high', dueDate: '2026-12-24', repeatDay: '2026-11-22' },
      doneAt: null,
    })
})

test('A change that was made after an undo, taken back and made again stays when the server rejects that undo', async () => {
  const { one, two, first, other } = await openDevices()
  make(two, first, (task) => edit.make(task, { ...task, title: 'Own' }))
  await idle()
  await two.engine.undo.reverse('undo')
  make(two, other, complete.make)
  await two.engine.undo.reverse('undo')
  await two.engine.undo.reverse('redo')
  // The server has the first change, and the page has no answer yet.
  await two.step()
  await catchUp([one])
  make(one, first, (task) => edit.make(task, { ...task, title: 'Other' }))
  await catchUp([one])
  await catchUp([two])
  two.decide(false)
  await catchUp([one, two])
  expect(two.task(first)?.title).toBe('Other')
  expect(two.task(other)?.doneAt).not.toBeNull()
})

test('The next task stays shown when the completed one was completed and deleted by another device', async () => {
  const { account, one, two, first, next } = await openDevices()
  make(one, first, complete.make)
  make(one, first, remove.make)
  await catchUp([one])
  make(two, first, complete.make)
  await idle()
  for (const _ of ['request', 'answer']) await two.step('answer', 0)
  await idle()
  expect(two.journal.entries()).toEqual([])
  expect(two.task(next)).toBeDefined()
  await catchUp([one, two])
  expect(sorted(two.store.tasks())).toMatchObject(await account.tasks())
})

test('A completion shows the next task again that was deleted before, with and without a network', async () => {
  const { account, one, first, next } = await openDevices()
  const steps = [
    [first, complete.make],
    [next, remove.make],
    [first, reopen.make],
    [first, complete.make],
  ] as const
  for (const [item, verb] of steps) {
    await catchUp([one])
    one.browser.isOffline = verb === complete.make
    make(one, item, verb)
    if (verb === complete.make) expect(one.task(next)?.deletedAt).toBeNull()
    one.browser.isOffline = false
  }
  await catchUp([one])
  const stored = (await account.tasks()).find(({ _id }) => _id === next)
  expect(stored).toMatchObject({ deletedAt: null, dueDate: '2026-11-22' })
  expect(one.task(next)).toMatchObject(stored as Task)
})
