import { expect, onTestFinished, test, vi } from 'vitest'
import { todayHere } from '#contract/days.ts'
import type {} from '../../../server/testing/global-setup.ts'
import { listen } from '../../../server/testing/raw-client.ts'
import { startTestServer } from '../../../server/testing/test-server.ts'
import { createEngine } from '../engine.ts'
import { itemId } from '../entry.ts'
import { memoryStorage, testNeeds } from '../testing/test-needs.ts'
import { add } from '../verbs/add-edit.ts'

/** How often the code of the calls was loaded, and whether that succeeds. */
let [loads, isLoadable] = [0, false]

// In Node the file is always there.
vi.mock('./ways.ts', (original) => {
  loads++
  if (!isLoadable) throw new TypeError('Failed to fetch dynamically imported module')
  return original()
})

const values = (title: string) => ({ title, body: '', dueDate: todayHere(), priority: 'low' as const })

const until = (look: () => boolean) => vi.waitUntil(look, { timeout: 60_000, interval: 5 })

test('While the code of the calls cannot be loaded, a change is shown, kept and sent later, and a dialog is told that the server cannot be reached', async () => {
  const server = await startTestServer('sqlite')
  onTestFinished(() => server.close())
  const origin = await listen(server.app)
  const user = await server.newUser()
  const titles = async () =>
    (await user.call('GET /list/getLatestTasks')).json.lists.map(({ title }) => title)
  const local = memoryStorage()
  const network: typeof fetch = (path, init) => fetch(origin + path, init)
  const engine = createEngine(testNeeds({ fetch: network, accountToken: user.token, local }))
  const { changes, journal, needs, quickLines, store } = engine
  onTestFinished(engine.start())

  const id = itemId(Date.now())
  const addByDialog = () => changes.makeAwaited(add.make(id, values('Buy tea')), { mutation: id })
  await expect(addByDialog()).rejects.toThrow('Cannot reach the server.')
  const before = loads
  quickLines.getState().type('Buy milk')
  quickLines.getState().enter(values('Buy milk'))
  await until(() => loads > before)
  expect([...store.tasks()].map(({ title }) => title)).toEqual(['Buy milk'])
  expect(Object.keys(local).filter((key) => key.startsWith('outbox '))).toHaveLength(1)
  expect(await titles()).toEqual([])

  isLoadable = true
  needs.tell('online')
  await until(() => journal.entries().length === 0)
  expect(await titles()).toEqual(['Buy milk'])
  await addByDialog()
  expect((await titles()).sort()).toEqual(['Buy milk', 'Buy tea'])
})
