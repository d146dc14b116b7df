import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { rounds } from '../../../server/testing/rounds.ts'
import { problemFrom } from '../../api/client.ts'
import type { ItemSet } from '../entry.ts'
import { randomId } from '../entry.ts'
import { catchUp, idle, type SteppedTab, serve } from '../testing/stepped-browser.ts'
import { add } from '../verbs/add-edit.ts'
import { complete, remove } from '../verbs/complete.ts'

const { open } = serve()
const set = ({ engine }: SteppedTab, item: string | undefined, set: ItemSet) =>
  engine.changes.attempt([{ item: String(item), set, verb: 'prioritise' }])
const historyOf = ({ engine }: SteppedTab) => engine.history.getState()

test('A press of Undo that waits for a deletion does not undo a change that was made after it', async () => {
  const { account, tab, ids } = await open(['a', 'b'])
  const [a = '', b] = ids
  const over = tab.task(a) as Task
  const deleted = tab.engine.changes.makeAwaited(remove.make({ _id: a }), { over }).catch(() => {})
  await idle()
  const undone = tab.engine.undo.reverse('undo')
  set(tab, b, { priority: 'high' })
  await tab.step('lose', 0, 503)
  await Promise.all([deleted, undone])
  await catchUp([tab])
  expect((await account.tasks()).find(({ _id }) => _id === b)?.priority).toBe('high')
  expect(tab.task(a)?.deletedAt).toBeNull()
})

test('A deletion whose call was lost and that is kept is one step, which is undone and redone once it is sent', async () => {
  const { tab, ids } = await open(['a'])
  const over = tab.task(ids[0] as string) as Task
  const { makeAwaited, make } = tab.engine.changes
  const deleted = makeAwaited(remove.make(over), { over }).catch(() => 'not answered')
  await idle()
  await tab.step('lose', 0, 503)
  expect(await deleted).toBe('not answered')
  make([remove.make(over)], { isKept: true })
  await idle()
  await tab.step('lose', 0, 503)
  await idle()
  for (const direction of ['undo', 'redo'] as const) {
    await tab.engine.undo.reverse(direction)
    await catchUp([tab])
    expect(tab.task(over._id)?.deletedAt === null).toBe(direction === 'undo')
  }
  const { undo, redo } = historyOf(tab)
  expect([undo.length, redo.length]).toEqual([1, 0])
})

test('A change that another tab has sent while the page was closed can no longer be undone, which is told at once', async () => {
  const { tab, ids } = await open(['a'])
  const item = ids[0] as string
  const values = { [item]: { before: { priority: 'low' }, after: { priority: 'high' } } }
  historyOf(tab).add({ name: 'sent elsewhere', verb: 'prioritise', item, title: 'a', values })
  await tab.engine.undo.reverse('undo')
  expect(historyOf(tab)).toMatchObject({ undo: [], redo: [], notice: { about: 'failed' } })
  expect(tab.journal.entries()).toEqual([])
})

test('A tab that presses Undo before it hears of the answer that another tab got has its change undone', async () => {
  const { account, ids, tab, other, tabs } = await open(['a', 'b'], { tabs: 2 })
  const [a, b] = ids
  set(tab, b, { priority: 'high' })
  await idle()
  set(other, a, { priority: 'high' })
  // The request and the answer of each of the two calls.
  for (let steps = 0; steps < 4; steps++) {
    await idle()
    await tab.step()
  }
  other.engine.undo.reverse('undo')
  await catchUp(tabs)
  expect((await account.tasks()).find(({ _id }) => _id === a)?.priority).toBe('low')
})

test('Undo takes back the tasks that the bar counts as one step, also when the bar has gone, and a task that was completed after it alone', async () => {
  const { tab, ids } = await open(['a', 'b', 'c'])
  const finish = async (id: string) => {
    tab.engine.changes.attempt([complete.make({ _id: id })])
    await catchUp([tab])
  }
  const [a = '', b = '', c = ''] = ids
  await finish(a)
  await finish(b)
  expect(historyOf(tab).notice?.steps).toHaveLength(2)
  historyOf(tab).dismiss()
  await finish(c)
  expect(historyOf(tab).notice?.steps).toHaveLength(1)
  const expectAfter = async (direction: 'undo' | 'redo', left: string[]) => {
    await tab.engine.undo.reverseRun(direction)
    await catchUp([tab])
    expect(ids.filter((id) => tab.task(id)?.doneAt !== null)).toEqual(left)
  }
  await expectAfter('undo', [a, b])
  await expectAfter('undo', [])
  expect(historyOf(tab).notice).toMatchObject({ about: 'undone', steps: [{ item: b }, { item: a }] })
  await expectAfter('redo', [a, b])
  await expectAfter('redo', ids)
})

test('A rejected undo is taken back, also if the server has rejected one from before the last change first', async () => {
  const { account, tab, ids } = await open(['a', 'b', 'c', 'd'])
  const [a = '', b = '', c = '', d = ''] = ids
  for (const id of [a, b, c]) set(tab, id, { priority: 'high' })
  await catchUp([tab])
  const undo = () => tab.engine.undo.reverse('undo')
  await undo()
  await undo()
  set(tab, d, { priority: 'high' })
  await undo()
  await undo()
  for (const id of [a, c]) await account.set(id, { priority: 'medium' })
  await catchUp([tab])
  const history = historyOf(tab)
  expect([history.undo, history.redo].map((steps) => steps.map(({ item }) => item))).toEqual([[b], [d]])
})

test('A line whose answer was lost is there once or deleted, whatever becomes of the calls that delete it', async () => {
  const fate = fc.record({
    isLost: fc.boolean(),
    isApplied: fc.boolean(),
    status: fc.constantFrom(0, 408, 503),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 8 }), async (all) => {
      const fates = [...all]
      const { account, tab } = await open([])
      const id = randomId()
      const next = async () => {
        const { isLost, isApplied, status } = fates.shift() ?? { isLost: false, isApplied: true, status: 0 }
        if (isApplied || !isLost) await tab.step()
        await tab.step(isLost ? 'lose' : 'answer', 0, status)
        await idle()
      }
      const values = { title: 'Lost line', dueDate: '2026-11-25', priority: 'low' } as const
      tab.engine.changes.attempt([add.make(id, values)], { typed: { text: 'typed', dismissed: [] } })
      await idle()
      await next()
      const { call } = tab.engine.needs
      const deleted = tab.journal
        .answered(id)
        .then(() => call('DELETE /list/deleteTask/:id', { params: { id } }))
        .then(
          () => true,
          (error) => problemFrom(error)?.status === 404 && 'not found',
        )
      await idle()
      while (fates.length > 0) await next()
      await catchUp([tab])
      tab.stop()
      const outcome = await deleted
      expect(tab.journal.entries()).toEqual([])
      expect(tab.told.size).toBe(0)
      expect(outcome, 'The call follows the addition').not.toBe('not found')
      expect(await account.tasks()).toMatchObject([
        { title: 'Lost line', ...(outcome && { deletedAt: expect.any(String) }) },
      ])
    }),
    { numRuns: rounds(2000, 40) },
  )
})
