import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { card, openDashboard, quickLine, sidebarButton } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { field, notePath, notesOf } from './notes-page.ts'
import { startServer } from './server.ts'
import { signIn } from './sign-in.ts'
import { register } from './user.ts'

test.use({ serviceWorkers: 'allow' })

/** Opens the dashboard and waits until the worker has stored the page. */
async function install(page: Page) {
  await openDashboard(page)
  await page.evaluate(
    () =>
      navigator.serviceWorker.controller ??
      new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve)),
  )
}

/** Whether a task with this title is on the device, with all others, and the text of this note. */
const isKept = (page: Page, title: string, note: string) =>
  page.evaluate(
    async ([title, note]) => {
      const done = <Value>(request: IDBRequest<Value>) =>
        new Promise<Value>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = reject
        })
      if (!(await indexedDB.databases()).some(({ name }) => name === 'daymark')) return false
      const database = await done(indexedDB.open('daymark'))
      const transaction = database.transaction(['items', 'texts', 'state'])
      const state = await done(transaction.objectStore('state').get('state'))
      const items = await done(transaction.objectStore('items').getAll())
      const text = await done(transaction.objectStore('texts').get(note))
      database.close()
      return state?.cursor !== undefined && text && items.some((item) => item.title === title)
    },
    [title, note] as const,
  )

const storedIn = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    const registrations = await navigator.serviceWorker.getRegistrations()
    return { paths: requests.flat().map(({ url }) => new URL(url).pathname), workers: registrations.length }
  })

test('Without a network, a reload opens the dashboard with all of its parts, and no call has an answer', async ({
  page,
  context,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  await install(page)
  await context.setOffline(true)
  const calls: string[] = []
  page.on('response', (response) => calls.push(response.url()))
  await page.reload()
  await expect(page.getByRole('grid')).toBeVisible()
  await sidebarButton(page, 'Latest').click()
  await expect(page.getByText('Cannot get latest tasks').first()).toBeVisible()
  await page.goto('/dashboard/notes')
  await expect(page.getByRole('button', { name: 'Write a note' })).toBeVisible()
  expect(calls.filter((url) => url.includes('/api/'))).toEqual([])
  expect((await storedIn(page)).paths.filter((path) => !/^\/assets\/|^\/dashboard$/.test(path))).toEqual([])
  await context.setOffline(false)
  await page.reload()
  await page.goto('/dashboard')
  await expect(card(page, 'Water the plants')).toBeVisible()
})

/** A server in front of another one, whose builds have other names when the returned function has been called. */
async function startOtherBuild(address: string) {
  let isNext = false
  const proxy = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete headers[name]
    const sent = forward(address + url, { method, headers }, async (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      if (!isNext || url !== '/service-worker.js') answer.pipe(response)
      // A name of the same length.
      else response.end((await text(answer)).replaceAll(/`[0-9a-f]{16}`/g, '`next build here `'))
    })
    request.pipe(sent)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    update: () => {
      isNext = true
    },
    stop: () => proxy.close().closeAllConnections(),
  }
}

test('An open page offers a new build, keeps typed text, and the next opening has the new build', async ({
  page,
  server,
  user,
}) => {
  const other = await startOtherBuild(server.address)
  await signIn(page, other.address, user.token)
  await page.goto(`${other.address}/dashboard`)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await quickLine(page).fill('Sow the beans')
  other.update()
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
  await page.getByRole('button', { name: 'Reload for the new version' }).click()
  await expect(page.getByText('Not saved earlier: “Sow the beans”')).toBeVisible()
  expect(await page.evaluate(() => caches.keys())).toEqual([expect.any(String), 'next build here '])
  other.stop()
})

test('Stored tasks are shown before any answer, also without a network, and a logout removes them', async ({
  page,
  context,
  server,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  const { _id } = await notesOf(server, user).add('Shopping\nmilk', { pinned: true })
  await install(page)
  await expect.poll(() => isKept(page, 'Water the plants', _id)).toBe(true)
  await context.setOffline(true)
  await page.reload()
  await expect(card(page, 'Water the plants')).toBeVisible()
  await sidebarButton(page, 'Latest').click()
  await expect(card(page, 'Water the plants')).toBeVisible()
  await page.goto(notePath(_id))
  await expect(field(page)).toContainText('milk')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(() => page.evaluate(() => indexedDB.databases())).toEqual([])
})

const failures = {
  'that is full': () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  },
  'without HTTPS': () => {
    for (const name of ['serviceWorker', 'locks']) Reflect.deleteProperty(Navigator.prototype, name)
  },
}

for (const [name, fail] of Object.entries(failures))
  test(`A browser ${name} shows and changes tasks from memory, and says so once`, async ({ page, user }) => {
    await user.add({ title: 'Water the plants' })
    await page.addInitScript(fail)
    await openDashboard(page)
    await expect(card(page, 'Water the plants')).toBeVisible()
    const line = page.getByText('Tasks and notes are not stored in this browser')
    await expect(line).toBeVisible()
    await quickLine(page).fill('Sow the beans')
    await page.keyboard.press('Enter')
    await expect(card(page, 'Sow the beans')).toBeVisible()
    await expect.poll(async () => (await user.list('getLatestTasks')).length).toBe(2)
    await page.reload()
    await expect(card(page, 'Sow the beans')).toBeVisible()
    await expect(line).toHaveCount(0)
  })

test('OFFLINE=off removes the worker and the data that browsers have stored', async ({ page }) => {
  let server = await startServer()
  const { token } = await register(server.address)
  await signIn(page, server.address, token)
  await page.goto(server.address)
  await page.goto(`${server.address}/dashboard`)
  await page.evaluate(() => navigator.serviceWorker.ready)
  server = await (await server.crash()).restart({ OFFLINE: 'off' })
  const script = await page.request.get(`${server.address}/service-worker.js`)
  expect(script.headers()).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': expect.stringMatching('javascript'),
  })
  await page.goto(`${server.address}/dashboard`)
  await expect.poll(() => storedIn(page)).toEqual({ paths: [], workers: 0 })
  await page.reload()
  await expect(page.getByRole('grid')).toBeVisible()
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  await server.stop()
})

test('Text that another program shares only fills the quick line, or is offered as a note', async ({
  page,
  user,
}) => {
  await page.goto('/dashboard?shared-title=Beans&shared-text=https://example.org/beans')
  await expect(quickLine(page)).toHaveValue('Beans https://example.org/beans')
  await expect(page).toHaveURL('/dashboard')
  await page.goto(`/dashboard?shared-text=${encodeURIComponent('One\nTwo')}`)
  await page.getByRole('button', { name: 'Start the note' }).click()
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveText(/One\s*Two/)
  expect(await user.list('getLatestTasks')).toEqual([])
})
