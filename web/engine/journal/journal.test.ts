import { expect, test } from 'vitest'
import type { Change, Entry, ItemSet } from '../entry.ts'
import { itemId, randomId } from '../entry.ts'
import { createStore } from '../store/store.ts'
import { sorted } from '../testing/stepped-account.ts'
import { calm, catchUp, idle, type SteppedTab, serve } from '../testing/stepped-browser.ts'
import { sendable } from './requests.ts'

const { open } = serve()
const tooLong = 'x'.repeat(10_000)

/** Makes the same change of items, as one step of Undo. */
function set({ engine, store }: SteppedTab, ids: readonly string[], set: ItemSet, isKept = false) {
  const changes = ids.map((item) => {
    const base = store.stored(item)?.version
    return { item, set, verb: 'edit' as const, ...(base && { base }) }
  })
  return engine.changes.attempt(changes, { isKept })
}
const added = { title: 'added', dueDate: '2026-11-25', priority: 'low' } as const
const titles = ({ store }: SteppedTab) => sorted(store.tasks()).map(({ title }) => title)
const outboxOf = ({ stored }: { stored: object }) =>
  Object.keys(stored).filter((key) => key.startsWith('outbox'))

/** The bodies of the writes that the server got. */
const writesTo = ({ calls }: { calls: { call: string; body: string }[] }, after = 0) =>
  calls.flatMap(({ call, body }) => (call.startsWith('POST') ? [body] : [])).slice(after)

test('A group that is being sent is taken back by one call, and at once all its items are shown as before', async () => {
  const { account, ids, tab } = await open(['a', 'b'])
  set(tab, ids, { title: 'one' })
  await idle()
  expect(titles(tab)).toEqual(['one', 'one'])
  tab.engine.undo.reverse('undo')
  await idle()
  expect(titles(tab).sort()).toEqual(['a', 'b'])
  await catchUp([tab])
  expect((await account.tasks()).map(({ title }) => title).sort()).toEqual(['a', 'b'])
  expect(writesTo(account, ids.length)).toHaveLength(2)
})

test('200 changes that were made without a network are shown at once, sent in order in two calls, and the number of the rest falls', async () => {
  const { account, browser, tab } = await open([])
  browser.isOffline = true
  const ids = Array.from({ length: 100 }, randomId)
  for (const id of ids) set(tab, [id], added)
  await idle()
  await tab.step()
  await idle()
  for (const id of ids) set(tab, [id], { done: true })
  const isShown = () => [...tab.store.tasks()].filter(({ doneAt }) => doneAt !== null).length === 100
  expect(isShown()).toBe(true)
  const rest: number[] = [tab.journal.entries().length]
  tab.journal.subscribe(() => rest.push(tab.journal.entries().length))
  browser.isOffline = false
  await catchUp([tab])
  expect([...new Set(rest)]).toEqual([200, 100, 0])
  expect((await account.log()).map(({ mutation }) => mutation)).toEqual(
    tab.made.map(({ mutation }) => mutation),
  )
  expect(isShown()).toBe(true)
  expect(outboxOf(browser)).toEqual([])
})

test('A change is stored on the device before it is shown, and refused and not shown if there is no space for it and its group', async () => {
  const { browser, tab } = await open([])
  await idle()
  const told: [stored: number, unstored: number][] = []
  tab.journal.subscribe(() => told.push([outboxOf(browser).length, tab.journal.unstored()]))
  set(tab, ['a'], added)
  browser.space = 0
  const one = set(tab, ['b'], added, true)
  browser.space = 1
  const group = set(tab, ['c', 'd'], added)
  expect(told).toEqual([[1, 0]])
  expect([...tab.store.tasks()].map(({ _id }) => _id)).toEqual(['a'])
  expect(outboxOf(browser)).toHaveLength(1)
  const refused = [await one, await group].flat()
  expect(refused.map(({ entry }) => entry.item)).toEqual(['b', 'c', 'd'])
})

test('A change that is taken back while it is sent stays taken back, wherever the only tab ends after the answer', async () => {
  for (let accesses = 0; accesses < 24; accesses++) {
    const { account, browser, tab, ids } = await open(['a'])
    set(tab, ids, { title: 'one' })
    await idle()
    tab.engine.undo.reverse('undo')
    await tab.step()
    tab.left = accesses
    await tab.step()
    await idle()
    tab.die()
    const next = browser.open()
    await catchUp([next])
    expect(titles(next)).toEqual(['a'])
    expect((await account.tasks()).map(({ title }) => title)).toEqual(['a'])
    expect(next.journal.entries()).toEqual([])
  }
})

test('The same undo in two tabs leaves nothing to decide', async () => {
  const { account, tabs, ids } = await open(['a'], { tabs: 2 })
  const item = ids[0] as string
  await account.set(item, { title: 'b' })
  const undo = { seq: Number.parseInt(account.cursor, 10) }
  for (const { journal } of tabs)
    journal.make([{ item, undo, shows: { [item]: { title: 'a' } } }], { isKept: true })
  await catchUp(tabs)
  expect((await account.tasks()).map(({ title }) => title)).toEqual(['a'])
  expect(tabs.flatMap(({ journal }) => journal.entries())).toEqual([])
})

test('A change that was made after the undo of a group waits with it for a decision', () => {
  const entry = { at: 0, was: {} }
  const rejected = { ...entry, mutation: 'm0', order: 1, item: 'a', set: {}, status: 'failed' }
  const shows = { a: {}, b: {} }
  const undo = { ...entry, mutation: 'm1', order: 2, item: 'a', undo: { of: 'group', isGroup: true }, shows }
  const [later, other] = ['b', 'c'].map((item) => ({ ...entry, mutation: item, order: 3, item, set: {} }))
  expect(sendable([rejected, undo, later, other] as Entry[], createStore())).toEqual([other])
})

test('The changes of a note that the server does not have are sent after its first save, by whichever tab, and their undo before that leaves nothing', async () => {
  const { account, browser, tabs, tab, other } = await open([], { tabs: 2 })
  const [note, saved] = [itemId(Date.now()), itemId(Date.now())]
  const add = (item: string) =>
    account.call('POST /changes', {
      changes: [{ mutation: randomId(), item, kind: 'note', base: 0, set: { text: 'Draft' } }],
    })
  await add(saved)
  await catchUp(tabs)
  const at = new Date().toISOString()
  const fresh = { title: 'Draft', snippet: '', pinned: false, createdAt: at, changedAt: at }
  tab.store.showFresh(note, { kind: 'note', _id: note, ...fresh, deletedAt: null, version: 0 })
  const change = ({ journal }: SteppedTab, item: string, set: ItemSet) =>
    journal.make([{ item, kind: 'note', set }], { isKept: true })
  const shown = ({ store }: SteppedTab) => store.notes(false).map(({ _id }) => _id)
  change(tab, note, { deleted: true })
  expect(shown(tab)).toEqual([saved])
  tab.journal.withdraw(...tab.journal.entries())
  expect(shown(tab)).toContain(note)
  expect(outboxOf(browser)).toEqual([])
  change(tab, note, { deleted: true })
  change(other, saved, { pinned: true })
  await calm(tabs)
  expect(writesTo(account).at(-1)).toContain('"set":{"pinned":true}')
  await add(note)
  other.stream()
  await calm([other])
  expect(writesTo(account).at(-1)).toContain('"set":{"deleted":true}')
  await catchUp(tabs)
  expect(outboxOf(browser)).toEqual([])
  for (const each of tabs) expect(shown(each)).toEqual([saved])
})

test('A call about an item sends its changes first, without the wait for the next attempt', async () => {
  const { account, tab, ids } = await open(['a'])
  account.status = 503
  set(tab, ids, { title: 'one' }, true)
  await idle()
  for (const _ of ['request', 'answer']) await tab.step()
  await idle()
  expect(tab.calls).toEqual([])
  account.status = undefined
  const answered = tab.journal.answered(ids[0])
  await idle()
  for (const _ of ['request', 'answer']) await tab.step()
  await answered
  expect((await account.tasks()).map(({ title }) => title)).toEqual(['one'])
})

test.each([true, false])(
  'A tick whose answer was lost is told as a clash only if it was not made before its line was removed elsewhere: made %s',
  async (isMade) => {
    const { account, tab, ids } = await open(['a'])
    const item = ids[0] as string
    tab.journal.make([{ item, check: { line: 0, text: 'line', checked: true } }])
    await idle()
    if (isMade) await tab.step()
    await tab.step('lose', 0, 502)
    await account.set(item, { body: 'other' })
    // The page knows of it when it sends the tick again.
    tab.stream()
    await idle()
    for (const _ of ['request', 'answer']) await tab.step()
    await idle()
    expect(tab.task(item)?.body).toBe('other')
    await catchUp([tab])
    expect(tab.journal.entries().map(({ failure }) => failure?.status)).toEqual(isMade ? [] : [409])
    expect((await account.tasks()).map(({ body }) => body)).toEqual(['other'])
  },
)

test.each([false, true])('A rejected change stays and holds back its item alone: kept %s', async (isKept) => {
  const { account, tabs, tab, ids } = await open(['a', 'b'], { tabs: 2 })
  const [a = '', b = ''] = ids
  const change = (item: string, set: ItemSet): Change => ({ item, set })
  const make = (...made: Change[]) => {
    for (const { outcome } of tab.journal.make(made, { isKept })) outcome.catch(() => {})
  }
  make(change(a, { title: tooLong }))
  await calm(tabs)
  make(change(a, { priority: 'high' }))
  make(change(b, { priority: 'high' }))
  await calm(tabs)
  const made = tab.made.map(({ mutation }) => mutation)
  const applied = async () => (await account.log()).slice(2).map(({ mutation }) => mutation)
  expect(await applied()).toEqual([made[2]])
  for (const { journal } of tabs)
    expect(journal.entries()).toMatchObject([
      { mutation: made[0], failure: { status: 400, reason: expect.stringContaining('title') } },
      { mutation: made[1] },
    ])
  expect([...tab.told]).toEqual(isKept ? [] : [made[0]])
  tab.decide(false)
  await calm(tabs)
  expect(await applied()).toEqual([made[2], made[1]])
})

test('A change that is taken back while it is sent leaves nothing to decide if it is rejected', async () => {
  const { tabs, tab, ids } = await open(['a'], { tabs: 2 })
  set(tab, ids, { title: tooLong })
  await idle()
  tab.engine.undo.reverse('undo')
  await catchUp(tabs)
  expect(tabs.flatMap(({ journal }) => journal.entries())).toEqual([])
  expect(titles(tab)).toEqual(['a'])
})
