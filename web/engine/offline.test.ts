import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { todayHere } from '#contract/days.ts'
import { tokenKey } from '#contract/limits.ts'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from './entry.ts'
import { itemId } from './entry.ts'
import { documentsOf } from './notes/note-documents.ts'
import { createDeviceDatabase } from './store/device-database.ts'
import { testAccounts, titlesOf } from './testing/test-accounts.ts'
import { openTasksIn, type Tab, titlesIn, typeLine, until } from './testing/test-browser.ts'
import { add, edit } from './verbs/add-edit.ts'
import { complete, ofNote, remove } from './verbs/complete.ts'
import { pin } from './verbs/notes.ts'

const { visit } = testAccounts()
afterEach(() => void vi.restoreAllMocks())

const named = (tab: Tab, title: string) => openTasksIn(tab).find((task) => task.title === title) as Task
const finish = (tab: Tab, ...titles: string[]) =>
  void tab.changes.make(titles.map((title) => complete.make(named(tab, title))))
const untilSent = ({ journal }: Tab) => until(() => journal.entries().length === 0)

test('Four days offline, with a reload, keep the times at which everything was done', async () => {
  const { browser, tab: first, user } = await visit()
  for (const title of ['Pack', 'Fly', 'Unpack']) await user.addTask({ title })
  first.close()
  let now = Date.now()
  /** Sets the clock of the page to an hour some days ago. */
  const at = (daysAgo: number, hours: number) => {
    now = Date.now() - 86_400_000 * daysAgo + 3_600_000 * hours
    return new Date(now).toISOString()
  }
  const [database, account] = [crypto.randomUUID(), user.token.slice(0, 21)]
  const open = () =>
    browser.open({ now: () => now, device: { database, begin: async (follow) => await follow(true) } })
  let tab = open()
  const kept = await createDeviceDatabase(database, account, () => {}).open()
  await until(async () => (await kept.get('state', 'state'))?.cursor)
  browser.setOnline(false)

  const evening = at(5, 0)
  finish(tab, 'Pack')
  typeLine(tab, 'Buy a map', { dueDate: '2026-11-20' })
  const night = at(5, 1)
  finish(tab, 'Fly')
  typeLine(tab, 'Change money')
  const abroad = at(3, 0)
  typeLine(tab, 'Call home')
  const map = named(tab, 'Buy a map')
  tab.changes.make([edit.make(map, { ...map, title: 'Buy two maps' })], { isKept: true })
  tab.close()

  const back = at(2, 0)
  tab = open()
  await until(() => titlesIn(tab).length === 4)
  finish(tab, 'Unpack')
  at(2, 2)
  browser.setOnline(true)
  await untilSent(tab)
  const done = (await user.call('GET /list/getDoneTasks')).json.lists
  expect(done.map(({ title, doneAt }) => [title, doneAt])).toEqual([
    ['Unpack', back],
    ['Fly', night],
    ['Pack', evening],
  ])
  const left = (await user.call('GET /list/getLatestTasks')).json.lists
  expect(left.map(({ title, createdAt }) => [title, createdAt])).toEqual([
    ['Call home', abroad],
    ['Change money', night],
    ['Buy two maps', evening],
  ])
  expect(left.at(-1)?.dueDate).toBe('2026-11-20')
  expect(tab.store.list('latest', todayHere()).map(({ title }) => title)).toEqual(
    left.map(({ title }) => title),
  )
})

test('While the server cannot be reached, a change is shown, kept and sent later, and a dialog is told so', async () => {
  const { browser, tab, user } = await visit()
  const id = itemId(Date.now())
  const values = { title: 'Buy tea', body: '', dueDate: todayHere(), priority: 'low' } as const
  const addByDialog = () => tab.changes.makeAwaited(add.make(id, values), { mutation: id })
  browser.setOnline(false)
  await expect(addByDialog()).rejects.toThrow('Cannot reach the server.')
  typeLine(tab, 'Buy milk')
  expect(titlesIn(tab)).toEqual(['Buy milk'])
  expect(Object.keys(browser.stored).filter((key) => key.startsWith('outbox '))).toHaveLength(1)
  expect(await titlesOf(user)).toEqual([])

  browser.setOnline(true)
  await untilSent(tab)
  expect(await titlesOf(user)).toEqual(['Buy milk'])
  await addByDialog()
  expect(await titlesOf(user)).toEqual(['Buy milk', 'Buy tea'])
})

test('What is kept to be sent later stays until the server has it, once, also if the network comes and goes', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { browser, network, tab, user } = await visit()
  for (const title of ['Paint', 'Feed the cat']) await user.addTask({ title })
  await until(() => titlesIn(tab).length === 2)
  const calls = ['PUT /list/updateTask/:id', 'DELETE /list/deleteTask/:id', 'POST /changes'] as const
  // The server has the addition all the same.
  const ends = [network.force('POST /list/addTask', 'lost')]
  for (const call of calls) ends.push(network.force(call, 'dropped'))

  const [paint, cat, id] = [named(tab, 'Paint'), named(tab, 'Feed the cat'), itemId(Date.now())]
  const draft = { title: 'Buy milk', body: '', dueDate: todayHere(), priority: 'high' } as const
  const keep = async (change: NewChange, own: { over?: Task; mutation?: string }) => {
    await expect(tab.changes.makeAwaited(change, own)).rejects.toMatchObject({ status: 0 })
    const { over: _, ...known } = own
    tab.changes.make([change], { ...known, status: 'sent', isKept: true })
  }
  await keep(add.make(id, draft), { mutation: id })
  await keep(edit.make(paint, { ...paint, title: 'Paint it red' }), { over: paint })
  await keep(remove.make(cat), { over: cat })
  for (const isOnline of [false, true, false]) browser.setOnline(isOnline)
  await until(() => titlesIn(tab).length === 2)
  expect(titlesIn(tab).sort()).toEqual(['Buy milk', 'Paint it red'])
  expect(tab.journal.entries()).toHaveLength(3)

  for (const end of ends) end()
  browser.setOnline(true)
  await untilSent(tab)
  expect(await titlesOf(user)).toEqual(['Buy milk', 'Paint it red'])
})

test('A list that is opened offline has its tasks, also one that is added then', async () => {
  const { browser, tab, user } = await visit()
  await user.addTask({ title: 'Feed the cat', priority: 'low' })
  await user.addTask({ title: 'Pay the rent', priority: 'high' })
  await until(() => tab.store.isComplete && titlesIn(tab).length === 2)
  browser.setOnline(false)
  typeLine(tab, 'Buy milk')
  const low = tab.store.list('low', todayHere()).map(({ title }) => title)
  expect(low.sort()).toEqual(['Buy milk', 'Feed the cat'])
})

test('Several tasks are completed offline at once, taken back and done again, and sent as one group that one press undoes', async () => {
  const { browser, network, tab, user } = await visit()
  const titles = ['one', 'three', 'two']
  for (const title of titles) await user.addTask({ title })
  await until(() => titlesIn(tab).length === 3)
  browser.setOnline(false)
  finish(tab, ...titles)
  expect(titlesIn(tab)).toEqual([])
  await tab.undo.reverse('undo')
  expect(titlesIn(tab).sort()).toEqual(titles)
  await tab.undo.reverse('redo')
  expect(titlesIn(tab)).toEqual([])
  browser.setOnline(true)
  await untilSent(tab)
  expect(await titlesOf(user, 'getDoneTasks')).toEqual(titles)
  await tab.undo.reverse('undo')
  await untilSent(tab)
  const writes = network.calls.filter((call) => call.startsWith('POST'))
  expect(writes).toEqual(['POST /changes', expect.stringMatching(/^POST .changes.\d+.undo$/)])
  expect(await titlesOf(user)).toEqual(titles)
})

test('A note that is pinned, deleted and brought back offline is so on the server later', async () => {
  const { browser, tab, user } = await visit()
  const id = documentsOf(tab).write('Ferry')
  await documentsOf(tab).saveAll()
  browser.setOnline(false)
  const shown = () => tab.store.notes(false).map(({ title, pinned }) => [title, pinned])
  tab.changes.make([pin.make(id, 'Ferry')])
  tab.changes.make([remove.make({ _id: id }, ofNote('Ferry'))])
  expect(shown()).toEqual([])
  await tab.undo.reverse('undo')
  expect(shown()).toEqual([['Ferry', true]])
  browser.setOnline(true)
  await untilSent(tab)
  const { json } = await user.call(`GET /notes/${id}`)
  expect(json.note).toMatchObject({ pinned: true, deletedAt: null })
})

test('A browser that keeps no tasks says so once until the next logout, and shows and changes them from memory, also without locks', async () => {
  const { browser, tab: first, user, stored } = await visit()
  first.kill()
  delete stored.unstored
  const says: boolean[] = []
  for (const title of ['Buy milk', 'Call Ann', 'Feed the cat']) {
    if (title === 'Feed the cat') delete stored.unstored
    const tab = browser.open({ locks: undefined })
    says.push(tab.connection.unstored.getState())
    typeLine(tab, title)
    await tab.journal.answered()
    expect(titlesIn(tab)).toContain(title)
    tab.close()
  }
  expect(says).toEqual([true, false, true])
  expect(await titlesOf(user)).toEqual(['Buy milk', 'Call Ann', 'Feed the cat'])
  expect(Object.keys(stored).sort()).toEqual([tokenKey, 'unstored'])
})
