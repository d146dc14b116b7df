import { beforeEach, expect, test, vi } from 'vitest'
import { tokenKey } from '#contract/limits.ts'
import { freePort } from '../../server/testing/free-port.ts'
import { listen } from '../../server/testing/raw-client.ts'
import { startTestServer } from '../../server/testing/test-server.ts'
import type { Engine } from './engine.ts'
import { testAccounts } from './testing/test-accounts.ts'
import {
  deleteIn,
  openBrowser,
  saveIn,
  taskIn,
  titlesIn,
  typeLine,
  until,
  writesIn,
} from './testing/test-browser.ts'
import { complete } from './verbs/complete.ts'

const metricsPort = await freePort()
const { browserOf, newUser } = testAccounts({ METRICS_PORT: String(metricsPort) })
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

const stream = 'GET /changes/stream'
const shows = (title: string) => (engine: Engine) => until(() => titlesIn(engine).includes(title))

/** How many streams the server has open. */
async function openStreams() {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^daymark_open_streams (\d+)/m.exec(text)?.[1])
}

/** A browser with a task, and the tabs that were asked for. */
async function openWith(title: string, tabs: Parameters<ReturnType<typeof openBrowser>['open']>[0][] = [{}]) {
  await until(async () => (await openStreams()) === 0)
  const user = await newUser()
  const task = await user.addTask({ title })
  const browser = browserOf(user)
  const opened = tabs.map((given) => browser.open(given))
  await Promise.all(opened.map(shows(title)))
  const stored = async () => (await user.call('GET /list/getLatestTasks')).json.lists
  return { user, task, browser, tabs: opened, tab: opened[0] as (typeof opened)[number], stored }
}

test('What another device adds, edits, completes and deletes appears without another call than those for changes', async () => {
  const { user, browser, tab } = await openWith('first')
  await until(() => browser.network.calls.includes(stream))
  const phone = browserOf(user)
  const other = phone.open()
  await shows('first')(other)
  for (const { network } of [browser, phone]) network.calls.splice(0)
  typeLine(other, 'second')
  await shows('second')(tab)
  await saveIn(other, taskIn(other, 'second'), { title: 'edited' })
  await shows('edited')(tab)
  other.changes.make([complete.make(taskIn(other, 'first'))])
  await until(() => titlesIn(tab).join() === 'edited')
  await deleteIn(other, 'edited')
  await until(() => titlesIn(tab).length === 0)
  await user.addTask({ title: 'last' })
  await shows('last')(other)
  expect(new Set(browser.network.calls)).toEqual(new Set(['GET /changes']))
  // Its own changes cost it no call but their own.
  expect(writesIn(phone)).toEqual([
    'POST /changes',
    'PUT /list/updateTask/N',
    'POST /changes',
    'DELETE /list/deleteTask/N',
  ])
})

test('A save that changes nothing shows the change that another device has made just before it', async () => {
  const { user, browser, tab } = await openWith('mine')
  const release = browser.network.hold('GET /changes')
  await user.addTask({ title: 'theirs' })
  await saveIn(tab, taskIn(tab, 'mine'), {})
  expect(titlesIn(tab)).toEqual(['mine'])
  release()
  await shows('theirs')(tab)
})

test('The tabs of a browser share a stream, which the next one takes over when its tab is closed or killed', async () => {
  const { user, browser, tab: one } = await openWith('first')
  await until(async () => (await openStreams()) === 1)
  const two = browser.open()
  await shows('first')(two)
  const three = browser.open()
  const streams = () => browser.network.calls.filter((call) => call === stream).length
  for (const [index, [leave, title, left]] of (
    [
      [() => {}, 'for all', [one, two, three]],
      [() => one.close(), 'for two', [two, three]],
      [() => two.kill(), 'for one', [three]],
    ] as const
  ).entries()) {
    leave()
    await until(() => streams() === index + 1)
    await user.addTask({ title })
    await Promise.all(left.map(shows(title)))
    await until(async () => (await openStreams()) === 1)
    expect(streams()).toBe(index + 1)
  }
})

test('The stream ends when the session ends elsewhere, and the page keeps what it shows', async () => {
  const { user, browser, tab } = await openWith('first')
  await until(async () => (await openStreams()) === 1)
  await user.call('POST /user/logout')
  await until(async () => (await openStreams()) === 0)
  expect([titlesIn(tab), browser.stored[tokenKey]]).toEqual([['first'], user.token])
})

test('Without locks each visible tab has a stream, and a hidden one has none until it is shown, also when the connection is back', async () => {
  const visible = { one: true, two: true }
  const { user, browser, tabs } = await openWith('first', [
    { locks: undefined, isVisible: () => visible.one },
    { locks: undefined, isVisible: () => visible.two },
  ])
  await until(async () => (await openStreams()) === 2)
  visible.two = false
  tabs[1]?.needs.tell('hidden')
  await until(async () => (await openStreams()) === 1)
  const streams = () => browser.network.calls.filter((call) => call === stream).length
  const before = streams()
  tabs[1]?.needs.tell('online')
  await user.addTask({ title: 'second' })
  expect(streams()).toBe(before)
  visible.two = true
  tabs[1]?.needs.tell('shown')
  await Promise.all(tabs.map(shows('second')))
  await until(async () => (await openStreams()) === 2)
})

test('What other devices change while a browser is offline appears when it is online again, and what they change afterwards', async () => {
  const { user, browser, tab } = await openWith('first')
  await until(async () => (await openStreams()) === 1)
  browser.setOnline(false)
  await user.addTask({ title: 'meanwhile' })
  browser.setOnline(true)
  await shows('meanwhile')(tab)
  await user.addTask({ title: 'afterwards' })
  await shows('afterwards')(tab)
})

test.each([{ status: 503 }, { status: 401 }, { status: 404 }, { status: 200 }, 'dropped', 'lost'] as const)(
  'Where the stream is answered with %o, everything else works, and a return to the page shows the changes',
  async (answer) => {
    const { user, browser, tab, stored } = await openWith('first')
    browser.network.force(stream, answer)
    browser.setOnline(false)
    browser.setOnline(true)
    await user.addTask({ title: 'elsewhere' })
    // The stream has been silent for longer than a heartbeat takes.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
    tab.needs.tell('shown')
    await shows('elsewhere')(tab)
    time.mockRestore()
    typeLine(tab, 'here')
    await tab.journal.answered()
    expect((await stored()).length).toBe(3)
    expect(browser.stored[tokenKey]).toBe(user.token)
  },
)

test('A task that another device has deleted is not edited, completed or deleted here, and leaves no step', async () => {
  for (const change of [
    (engine: Engine) => saveIn(engine, taskIn(engine, 'Paint'), { title: 'Paint the mark' }),
    (engine: Engine) => deleteIn(engine, 'Paint'),
    async (engine: Engine) => {
      const [failed] = await engine.changes.make([complete.make(taskIn(engine, 'Paint'))])
      throw failed?.error
    },
  ]) {
    const { user, task, browser, tab } = await openWith('Paint')
    browser.network.force(stream, 'dropped')
    const release = browser.network.hold('GET /changes')
    await user.call(`DELETE /list/deleteTask/${task._id}`)
    await expect(change(tab)).rejects.toMatchObject({ status: 404 })
    release()
    expect(tab.history.getState().undo).toEqual([])
    expect(writesIn(browser).length).toBe(1)
    tab.kill()
  }
})

test('Two devices that use two servers on one PostgreSQL database show each other’s changes, and what is undone', async () => {
  const one = await startTestServer('postgres')
  const two = await startTestServer(one.url)
  const user = await one.newUser()
  const [laptop, phone] = await Promise.all(
    [one, two].map(async ({ app }) => openBrowser(await listen(app), user).open()),
  )
  if (!laptop || !phone) throw new Error('There are two.')
  typeLine(laptop, 'first')
  await shows('first')(phone)
  typeLine(phone, 'second')
  await shows('second')(laptop)
  await saveIn(laptop, taskIn(laptop, 'second'), { title: 'edited' })
  await shows('edited')(phone)
  phone.changes.make([complete.make(taskIn(phone, 'edited'))])
  await until(() => titlesIn(laptop).join() === 'first')
  await deleteIn(laptop, 'first')
  await until(() => titlesIn(phone).length === 0)
  await laptop.undo.reverseRun('undo')
  await shows('first')(phone)
  for (const device of [laptop, phone]) device.kill()
  for (const each of [two, one]) await each.close()
})
