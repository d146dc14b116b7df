import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { todayHere } from '#contract/days.ts'
import { itemId } from './entry.ts'
import { testAccounts, titlesOf } from './testing/test-accounts.ts'
import {
  deleteIn,
  loseNext,
  saveIn,
  type Tab,
  taskIn,
  titlesIn,
  until,
  writesIn,
} from './testing/test-browser.ts'
import type { Direction } from './undo-history.ts'
import { add } from './verbs/add-edit.ts'
import { complete } from './verbs/complete.ts'

const { newUser, visit } = testAccounts()
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

const undoCall = 'POST /changes/:seq/undo'
const changed =
  'The fields of this change were changed again later. Nothing was undone: undo the later change first.'

/** A browser with one tab of an account that has these tasks. */
async function openWith(...titles: string[]) {
  const user = await newUser()
  for (const title of titles) await user.addTask({ title })
  const opened = await visit(user)
  await until(() => opened.tab.replication.cursor && titlesIn(opened.tab).length === titles.length)
  return { ...opened, stored: () => titlesOf(user) }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Task ${index}`)
const completeIn = (tab: Tab, title: string) => tab.changes.make([complete.make(taskIn(tab, title))])

/** Has completed and deleted tasks in turn, Task 0 to Task 3 for four, each as a step of its own. */
async function openChanged(count: number, ...others: string[]) {
  const opened = await openWith(...numbered(count), ...others)
  for (const [index, title] of numbered(count).entries())
    await (index % 2 === 0 ? completeIn(opened.tab, title) : deleteIn(opened.tab, title))
  opened.browser.network.calls.splice(0)
  return opened
}

/** Waits until no change waits to be sent, without the waits between attempts. */
const allSent = ({ journal, needs }: Tab) =>
  until(() => {
    needs.tell('focus')
    return journal.entries().every(({ failure }) => failure)
  })

const press = ({ undo }: Tab, times: number, direction: Direction = 'undo') =>
  Array.from({ length: times }, () => undo.reverseRun(direction)).at(-1)

test('Ten presses during the first undo undo ten changes, newest first, and ten more redo them', async () => {
  const { browser, tab, stored } = await openChanged(10)
  const release = browser.network.hold(undoCall)
  await press(tab, 10)
  expect(titlesIn(tab).length).toBe(10)
  release()
  await allSent(tab)
  const undone = browser.network.calls.flatMap((call) => /\d+(?=\/undo)/.exec(call)?.map(Number) ?? [])
  expect(undone.length).toBe(10)
  expect(undone).toEqual(undone.toSorted((one, other) => other - one))
  await press(tab, 10, 'redo')
  expect(titlesIn(tab)).toEqual([])
  await allSent(tab)
  expect(await stored()).toEqual([])
})

test.each([
  ['uuurruur', ['Task 2', 'Task 3'], 2],
  ['uuuu', numbered(4), 4],
  ['uuuurrrr', [], 2],
  ['urur', [], 2],
] as const)('Undo and redo take effect in the order of their presses: %s', async (presses, open, calls) => {
  const { browser, tab, stored } = await openChanged(4)
  const release = browser.network.hold(undoCall)
  for (const key of presses) await press(tab, 1, key === 'u' ? 'undo' : 'redo')
  expect(titlesIn(tab).sort()).toEqual(open)
  release()
  await allSent(tab)
  expect(await stored()).toEqual(open)
  expect(writesIn(browser).length).toBe(calls)
})

test.each([
  [500, undefined, true],
  [409, 'over-quota', true],
  [409, 'too-many-items', true],
  [409, 'changed-again', false],
  [404, 'no-such-change', false],
])('When an undo is answered %i %s, presses that wait are dropped: %s', async (status, code, isAgain) => {
  const { browser, tab, stored } = await openChanged(4)
  const why = { type: 'about:blank', title: '', status, detail: 'Because.' }
  const end = browser.network.force(undoCall, { status, json: code ? { ...why, code } : why })
  const release = browser.network.hold(undoCall)
  press(tab, 5)
  release()
  const failed = { about: 'failed', direction: 'undo', reason: 'Because.', isFinal: !isAgain }
  await until(() => tab.history.getState().notice?.about === 'failed')
  expect(tab.history.getState().notice).toMatchObject({ ...failed, steps: [{ title: 'Task 3' }] })
  await allSent(tab)
  expect([writesIn(browser).length, titlesIn(tab)]).toEqual([1, []])
  end()
  await press(tab, 1)
  await allSent(tab)
  expect(await stored()).toEqual([isAgain ? 'Task 3' : 'Task 2'])
})

test('A press of Undo does not undo a change that was made after it', async () => {
  const { browser, tab, stored } = await openChanged(4, 'Feed the cat')
  const release = browser.network.hold(undoCall)
  await press(tab, 3)
  const deleted = deleteIn(tab, 'Feed the cat')
  release()
  await deleted
  await allSent(tab)
  expect(await stored()).toEqual(['Task 1', 'Task 2', 'Task 3'])
  expect(writesIn(browser).length).toBe(4)
})

test('A press of Undo before the answer to a deletion takes back that one, and no earlier change', async () => {
  const { browser, tab, stored } = await openChanged(1, 'Feed the cat')
  const release = browser.network.hold('DELETE /list/deleteTask/:id')
  const deleted = deleteIn(tab, 'Feed the cat')
  const pressed = press(tab, 1)
  release()
  await Promise.all([deleted, pressed])
  await allSent(tab)
  expect(await stored()).toEqual(['Feed the cat'])
})

test('A tab undoes its own changes alone, and none that another tab has changed again, which it tells', async () => {
  const { browser, tab } = await openWith('Water the plants')
  const other = browser.open()
  await until(() => titlesIn(other).length === 1)
  await saveIn(tab, taskIn(tab, 'Water the plants'), { title: 'mine' })
  await until(() => titlesIn(other)[0] === 'mine')
  await saveIn(other, taskIn(other, 'mine'), { title: 'theirs' })
  await until(() => titlesIn(tab)[0] === 'theirs')
  await press(tab, 1)
  await until(() => tab.history.getState().notice?.about === 'failed')
  expect(tab.history.getState()).toMatchObject({ undo: [], notice: { reason: changed, isFinal: true } })
  expect(titlesIn(tab)).toEqual(['theirs'])
  await press(other, 1)
  await until(() => titlesIn(tab)[0] === 'mine')
})

test.each([true, false])(
  'A change and its undo whose calls are lost once are sent again, and the undo takes back that change and no other: applied %s',
  async (isApplied) => {
    const { browser, tab, stored } = await openWith('Water the plants', 'Feed the cat')
    tab.changes.make([
      add.make(itemId(Date.now()), { title: 'Buy milk', dueDate: todayHere(), priority: 'low' }),
    ])
    await allSent(tab)
    for (const endpoint of ['POST /changes', undoCall] as const) loseNext(browser, endpoint, isApplied)
    completeIn(tab, 'Feed the cat')
    await allSent(tab)
    await press(tab, 1)
    await allSent(tab)
    expect(await stored()).toEqual(['Buy milk', 'Feed the cat', 'Water the plants'])
    expect(tab.history.getState()).toMatchObject({ undo: [{ verb: 'add' }], notice: { about: 'undone' } })
  },
)

test.each([true, false])(
  'An addition, an edit and a deletion that the server made but did not answer are undone like others: made again %s',
  async (isRepeated) => {
    const { browser, tab } = await openWith('Feed the cat')
    const task = taskIn(tab, 'Feed the cat')
    const id = itemId(Date.now())
    const milk = add.make(id, { title: 'Buy milk', dueDate: todayHere(), priority: 'high', body: '' })
    const changes = [
      ['POST /list/addTask', 'add', () => tab.changes.makeAwaited(milk, { mutation: id })],
      ['PUT /list/updateTask/:id', 'edit', () => saveIn(tab, task, { title: 'Feed the dog' })],
      ['DELETE /list/deleteTask/:id', 'delete', () => deleteIn(tab, 'Feed the cat')],
    ] as const
    for (const [endpoint, verb, make] of changes) {
      loseNext(browser, endpoint, true)
      // What the log says arrives after the second attempt.
      const release = isRepeated ? browser.network.hold('GET /changes') : () => {}
      await expect(make()).rejects.toThrow()
      if (isRepeated) await make()
      release()
      await until(() => tab.history.getState().undo.at(-1)?.verb === verb)
      expect(tab.history.getState().undo.length).toBe(1)
      await press(tab, 1)
      await until(() => titlesIn(tab).join() === 'Feed the cat')
      await allSent(tab)
    }
  },
)

test('Two tabs and a phone that complete, delete, undo and redo at the same time show the same tasks as the server', async () => {
  const [tasks, devices] = [fc.nat(7), fc.nat(2)]
  const step = fc.tuple(devices, fc.constantFrom('complete', 'delete', 'undo', 'redo', 'wait'), tasks)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (script) => {
      const { user, browser, tab, stored } = await openWith(...numbered(8))
      const all = [tab, browser.open(), (await visit(user)).tab]
      await until(() => all.every((each) => titlesIn(each).length === 8))
      for (const [index, what, number] of script) {
        const device = all[index] as Tab
        const task = [...device.store.tasks()].find(({ title }) => title === `Task ${number}`)
        if (what === 'undo' || what === 'redo') press(device, 1, what)
        else if (what === 'wait') await new Promise(setImmediate)
        else if (!task || task.deletedAt) continue
        else if (what === 'complete') device.changes.make([complete.make(task)])
        else deleteIn(device, task.title).catch(() => {})
      }
      for (const device of all) await device.changes.settled()
      await until(async () => {
        const titles = (await stored()).join()
        return all.every(
          (each) =>
            each.journal.entries().every(({ failure }) => failure) && titlesIn(each).sort().join() === titles,
        )
      })
      for (const device of all) device.kill()
    }),
    { numRuns: 20 },
  )
})
