import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { settle } from './calls.ts'
import {
  card,
  cards,
  enterLine,
  openDashboard,
  quickLine,
  ring,
  sidebarButton,
  unsentLine,
} from './dashboard-page.ts'
import { expect } from './fixtures.ts'
import { expectDrafts } from './local-storage.ts'
import { field, noteLink, notePane, notePath, notesTest as test } from './notes-page.ts'
import { startServer } from './server.ts'
import { logOut, signIn, validityOf } from './sign-in.ts'
import { register } from './user.ts'

test.use({ serviceWorkers: 'allow' })

async function install(page: Page) {
  await openDashboard(page)
  await controlled(page)
}

const controlled = (page: Page) =>
  page.evaluate(
    () =>
      navigator.serviceWorker.controller ??
      new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve)),
  )

/** Whether a task with this title is on the device, with all others, and the text of this note, if one is given. */
const isKept = (page: Page, title: string, note = '') =>
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
      return (
        state?.cursor !== undefined && (text || note === '') && items.some((item) => item.title === title)
      )
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

/** Answers in place of a file, as a network that wants a login, a damaged proxy and a cut connection give them. */
const wrongAnswers: ((type: string, file: Buffer) => [type: string, body: string | Buffer])[] = [
  () => ['text/html; charset=utf-8', '<h1>Log in to this network</h1>'],
  (type) => [type, '<h1>Log in to this network</h1>'],
  (type, file) => [type, file.subarray(0, file.length / 2)],
  (_type, file) => ['application/octet-stream', file],
  (type) => [type, ''],
]

/** A server in front of another one, whose builds have other names while `isNext`. */
async function startOtherBuild(address: string) {
  const state = {
    isNext: false,
    isBusy: false,
    isRedirecting: false,
    /** While the first answer to the worker for each file is wrong: the paths of these answers. */
    asked: undefined as Set<string> | undefined,
  }
  const proxy = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    if (state.isBusy && method === 'POST') return response.writeHead(503).end()
    if (state.isRedirecting && url === '/dashboard')
      return response.writeHead(302, { location: '/dashboard?redirected' }).end()
    for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete headers[name]
    const sent = forward(address + url, { method, headers }, async (answer) => {
      const isFile = url === '/dashboard' || url.startsWith('/assets/')
      if (state.asked && isFile && headers['sec-fetch-dest'] === 'empty' && !state.asked.has(url)) {
        state.asked.add(url)
        const wrong = wrongAnswers[state.asked.size % wrongAnswers.length]
        const [type, body] = wrong?.(answer.headers['content-type'] ?? '', await buffer(answer)) ?? []
        // The browser keeps it too.
        return response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(body)
      }
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      if (!state.isNext || url !== '/service-worker.js') answer.pipe(response)
      // A name of the same length.
      else response.end((await text(answer)).replaceAll(/`[0-9a-f]{16}`/g, '`next build here `'))
    })
    request.pipe(sent)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    state,
    stop: () => proxy.close().closeAllConnections(),
  }
}

const hashOf = (contents: Buffer) => createHash('sha256').update(contents).digest('hex')

async function hashesOfBuild(): Promise<Record<string, string>> {
  const site = join(import.meta.dirname, '../dist/web')
  const names = (await readdir(join(site, 'assets'))).filter((name) => !/\.(br|gz)$/.test(name))
  const files = [
    ['/dashboard', 'dashboard.html'],
    ...names.map((name) => [`/assets/${name}`, `assets/${name}`]),
  ]
  return Object.fromEntries(
    await Promise.all(
      files.map(async ([path = '', file = '']) => [path, hashOf(await readFile(join(site, file)))]),
    ),
  )
}

/** Stores a wrong answer for each of these paths, each another one, in the cache of this name. */
const storeWrongFiles = (page: Page, name: string, paths: string[]) =>
  page.evaluate(
    async ([name, paths]) => {
      const cache = await caches.open(name)
      for (const [index, path] of paths.entries()) {
        const headers = { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/css' }
        const wrong = ['throw new Error("Wrong")', '', '<h1>Log in to this network</h1>'][index % 3]
        await cache.put(path, index % 2 ? new Response(wrong) : new Response(wrong, { headers }))
      }
    },
    [name, paths] as const,
  )

/** The hashes of what the worker answers for these paths and then has stored, by path. */
const storedHashes = (page: Page, paths: string[]) =>
  page.evaluate(async (paths) => {
    const hashes: Record<string, string> = {}
    for (const path of paths) {
      if (path.startsWith('/assets/')) await fetch(path)
      const names = (await caches.keys()).filter((name) => name !== 'an earlier build')
      const stored = await (await caches.open(names[0] ?? '')).match(path)
      const digest = await crypto.subtle.digest('SHA-256', (await stored?.arrayBuffer()) ?? new ArrayBuffer())
      hashes[path] = new Uint8Array(digest).toHex()
    }
    return hashes
  }, paths)

test('A wrong answer is not stored, and a wrong stored file is replaced', async ({ page, server, user }) => {
  const proxy = await startOtherBuild(server.address)
  const hashes = await hashesOfBuild()
  const paths = Object.keys(hashes)
  const asked = new Set<string>()
  proxy.state.asked = asked
  await signIn(page, proxy.address, user.token)
  await page.goto(`${proxy.address}/about`)
  await storeWrongFiles(page, 'an earlier build', paths)
  await page.goto(`${proxy.address}/dashboard`)
  await controlled(page)
  // The browser has those that the page itself has loaded.
  expect(asked.size).toBeGreaterThan(wrongAnswers.length)
  await page.reload()
  await expect(page.getByRole('grid')).toBeVisible()
  expect(await storedHashes(page, paths)).toEqual(hashes)

  await test.step('Stored files that have been damaged since', async () => {
    const [name = ''] = (await page.evaluate(() => caches.keys())).filter(
      (name) => name !== 'an earlier build',
    )
    await storeWrongFiles(page, name, paths)
    await page.goto(`${proxy.address}/dashboard`)
    await expect(page.getByRole('grid')).toBeVisible()
    expect(await storedHashes(page, paths)).toEqual(hashes)
  })

  await test.step('Files that only the previous build has', async () => {
    const script = 'export const previous = true'
    const [right, wrong] = ['/assets/right-1.js', '/assets/wrong-1.js']
    const answers = page.evaluate(
      async ([script, right, wrong, hash]) => {
        const cache = await caches.open('an earlier build')
        await cache.put('/assets/hashes', Response.json({ [right]: hash, [wrong]: hash }))
        const headers = { 'content-type': 'text/javascript' }
        await cache.put(right, new Response(script, { headers }))
        await cache.put(wrong, new Response('throw new Error("Wrong")', { headers }))
        return [await (await fetch(right)).text(), (await fetch(wrong)).status]
      },
      [script, right, wrong, hashOf(Buffer.from(script))] as const,
    )
    expect(await answers).toEqual([script, 404])
  })
  proxy.stop()
})

test('The next build sends the changes that were made offline', async ({ page, context, server, user }) => {
  await user.add({ title: 'Water the plants' })
  const other = await startOtherBuild(server.address)
  await signIn(page, other.address, user.token)
  await page.goto(`${other.address}/dashboard`)
  await expect.poll(() => isKept(page, 'Water the plants')).toBe(true)
  await context.setOffline(true)
  await enterLine(page, 'Sow the beans')
  await quickLine(page).fill('Buy milk')
  const second = await context.newPage()
  await second.goto(`${other.address}/dashboard`)
  await ring(second, 'Water the plants').click()
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await second.reload()
  await expect(card(second, 'Sow the beans')).toBeVisible()
  await expect(card(second, 'Water the plants')).toHaveCount(0)
  await second.close()
  // As if the task had been added the day before.
  await page.evaluate(() => {
    for (const [key, value] of Object.entries(localStorage)) {
      const entry = key.startsWith('outbox ') ? JSON.parse(value) : {}
      if (entry.set?.title) localStorage.setItem(key, JSON.stringify({ ...entry, at: entry.at - 90_000_000 }))
    }
  })

  // The new build is here before the changes can be sent.
  other.state.isNext = true
  other.state.isBusy = true
  await context.setOffline(false)
  await test.step('A redirected page, which can be the login of a proxy, is not stored', async () => {
    other.state.isRedirecting = true
    const outcome = page.evaluate(async () => {
      const { installing } = await (await navigator.serviceWorker.ready).update()
      if (installing?.state === 'installing')
        await new Promise((ended) => installing.addEventListener('statechange', ended, { once: true }))
      return installing?.state ?? 'redundant'
    })
    expect(await outcome).toBe('redundant')
    other.state.isRedirecting = false
  })
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
  await page.getByRole('button', { name: 'Reload for the new version' }).click()
  await expect(page.getByText('Unfinished: “Buy milk”')).toBeVisible()
  await expect(unsentLine(page)).toContainText('2 changes waiting to sync, the oldest for 1 d')
  await expect(card(page, 'Sow the beans')).toBeVisible()
  expect(await page.evaluate(() => caches.keys())).toEqual([expect.any(String), 'next build here '])
  other.state.isBusy = false
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await settle(page, [])
  await expect(unsentLine(page)).not.toContainText('waiting to sync')
  expect(await user.titles()).toEqual(['Sow the beans'])
  expect(await user.titles('getDoneTasks')).toEqual(['Water the plants'])
  other.stop()
})

test('Without a network a reload opens the stored dashboard', async ({ page, context, user, notes }) => {
  await user.add({ title: 'Water the plants' })
  const { _id } = await notes.add('Shopping\nmilk', { pinned: true })
  await install(page)
  await expect.poll(() => isKept(page, 'Water the plants', _id)).toBe(true)
  await context.setOffline(true)
  const calls: string[] = []
  page.on('response', (response) => calls.push(response.url()))
  await page.reload()
  await expect(page.getByRole('grid')).toBeVisible()
  await expect(card(page, 'Water the plants')).toBeVisible()
  await sidebarButton(page, 'Latest').click()
  await expect(page.getByText('Cannot get latest tasks').first()).toBeVisible()
  await expect(card(page, 'Water the plants')).toBeVisible()
  await page.goto('/dashboard/notes')
  await expect(page.getByRole('button', { name: 'Write a note' })).toBeVisible()
  await page.goto(notePath(_id))
  await expect(field(page)).toContainText('milk')
  await page.goto('/dashboard?search=plants')
  await expect(page.getByText(allHere)).toBeVisible()
  await expect(card(page, 'Water the plants')).toBeVisible()
  expect(calls.filter((url) => url.includes('/api/'))).toEqual([])
  const { paths } = await storedIn(page)
  expect(paths.filter((path) => !/^\/assets\/|^\/(dashboard)?$/.test(path))).toEqual([])
  await context.setOffline(false)
  await page.reload()
  await page.goto('/dashboard')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await logOut(page)
  await expect.poll(() => page.evaluate(() => indexedDB.databases())).toEqual([])
})

const allHere = 'Offline: the tasks and notes on this device were searched.'
const onlyHere = 'Offline: of notes that are not on this device, only titles and first lines were searched.'

test('Texts of notes are fetched in advance and read offline', async ({ page, context, user, notes }) => {
  await user.add({ title: 'Water the plants' })
  const lines = `${'flour\n'.repeat(200)}cinnamon`
  const { _id } = await notes.add(`Shopping\n${lines}`)
  await install(page)
  await expect.poll(() => isKept(page, 'Water the plants', _id), { timeout: 30_000 }).toBe(true)
  await context.setOffline(true)
  await page.goto('/dashboard?search=cinnamon')
  await expect(page.getByText(allHere)).toBeVisible()
  await page.getByRole('link', { name: 'Shopping …cinnamon' }).click()
  await expect(field(page)).toContainText('cinnamon')

  // A page that leaves the note may store its text.
  await page.goto('/dashboard')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await page.evaluate(clearTexts)
  await page.goto('/dashboard?search=cinnamon')
  await expect(page.getByText(onlyHere)).toBeVisible()
  await page.setViewportSize({ width: 380, height: 760 })
  await page.goto(notePath(_id))
  await expect(notePane(page)).toContainText(
    'Only the title and the first lines of this note are on this device.',
  )
  await expect(notePane(page).getByRole('heading', { name: 'Shopping' })).toBeVisible()
  await expect(notePane(page)).toContainText('flour')
  await notePane(page).getByRole('link', { name: 'All notes' }).click()
  await expect(noteLink(page, 'Shopping')).toBeVisible()
  await noteLink(page, 'Shopping').click()
  await context.setOffline(false)
  await expect(field(page)).toContainText('cinnamon')
  await notePane(page).getByRole('link', { name: 'All notes' }).click()
  await expect(noteLink(page, 'Shopping')).toBeVisible()
  await expect(page.getByText('The notes could not be loaded.')).toHaveCount(0)
})

const clearTexts = () =>
  new Promise((resolve) => {
    const opening = indexedDB.open('daymark')
    opening.onsuccess = () => {
      const transaction = opening.result.transaction(['texts', 'state'], 'readwrite')
      transaction.objectStore('texts').clear()
      const states = transaction.objectStore('state')
      const reading = states.get('state')
      reading.onsuccess = () => states.put({ ...reading.result, texts: {} }, 'state')
      transaction.oncomplete = resolve
    }
  })

const memoryAlone = (page: Page) => page.getByText('Tasks and notes are not stored in this browser')

test('A browser that is full says so once, and shows what was added', async ({ page, context, user }) => {
  await user.add({ title: 'Water the plants' })
  // As in a tab that ended before it could store them.
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  })
  await install(page)
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect(memoryAlone(page)).toBeVisible()
  await context.setOffline(true)
  await enterLine(page, 'Sow the beans')
  await expect(card(page, 'Sow the beans')).toBeVisible()
  await page.reload()
  await expect(card(page, 'Sow the beans')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('These tasks could not be loaded.')
  await enterLine(page, 'Buy milk')
  await expect(card(page, 'Buy milk')).toBeVisible()
  await context.setOffline(false)
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect(cards(page)).toHaveCount(3)
  await expect(memoryAlone(page)).toHaveCount(0)
  await settle(page, [])
  expect(await user.list('getLatestTasks')).toHaveLength(3)
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

test('Text that another program shares only fills the line or offers a note', async ({ page, user }) => {
  await page.goto('/dashboard?shared-title=Beans&shared-text=https://example.org/beans')
  await expect(quickLine(page)).toHaveValue('Beans https://example.org/beans')
  await expect(page).toHaveURL('/dashboard')
  // Any site can link here: otherwise twenty links would push the drafts of the person out.
  await expectDrafts(page, 0)
  await quickLine(page).press('!')
  await expectDrafts(page, 1)
  await page.goto(`/dashboard?shared-text=${encodeURIComponent('One\nTwo')}`)
  await page.getByRole('button', { name: 'Start the note' }).click()
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveText(/One\s*Two/)
  expect(await user.list('getLatestTasks')).toEqual([])
})

test('A logout without a network ends the session afterwards', async ({ page, context, user, server }) => {
  await install(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Logout', exact: true }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Sign Up' }).first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  const validity = () => validityOf(server.address, user.token)
  expect(await validity()).toBe(200)
  await context.setOffline(false)
  await expect.poll(validity).toBe(403)
  await expect.poll(() => page.evaluate(() => caches.has('ended sessions'))).toBe(false)
})
