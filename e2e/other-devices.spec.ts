import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page, Request } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import { force, hold, intercept, recordCalls, settle } from './calls.ts'
import {
  addDialog,
  card,
  cards,
  deleteButton,
  editButton,
  editDialog,
  fillTask,
  openDashboard,
  panelTitle,
  ring,
  sidebarButton,
  titlesOf,
} from './dashboard-page.ts'
import { day } from './days.ts'
import { openFollowing, otherDevice, streamPath } from './devices.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import type { Server } from './server.ts'
import { expectToasts } from './toasts.ts'
import type { User } from './user.ts'

/** The streams that the pages of this browser open, each with whether it has ended. */
function recordStreams(context: BrowserContext) {
  const streams: { ended: boolean }[] = []
  const byRequest = new Map<Request, { ended: boolean }>()
  context.on('request', (request) => {
    if (!request.url().endsWith(streamPath)) return
    const stream = { ended: false }
    streams.push(stream)
    byRequest.set(request, stream)
  })
  const end = (request: Request) => {
    const stream = byRequest.get(request)
    if (stream) stream.ended = true
  }
  context.on('requestfinished', end)
  context.on('requestfailed', end)
  return streams
}

const open = (streams: { ended: boolean }[]) => streams.filter(({ ended }) => !ended).length

async function change(server: Server, user: User, method: string, path: string, body?: object) {
  const response = await fetch(server.address + apiBase + path, {
    method,
    headers: { Authorization: `Bearer ${user.token}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  })
  expect(response.status).toBe(200)
}

const comeBack = (page: Page) =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))

test('Changes of another device appear by themselves, without a toast, an alert or other calls than those for changes', async ({
  page,
  browser,
  server,
  user,
  alerts,
}) => {
  await user.add({ title: 'first' })
  const other = await otherDevice(browser, server, user)
  await openFollowing(page)
  await openFollowing(other)
  await expect(card(page, 'first')).toBeVisible()
  const calls = recordCalls(page)
  const theirs = recordCalls(other)

  other.on('dialog', (dialog) => dialog.accept())
  await sidebarButton(other, 'Add Task').click()
  await fillTask(addDialog(other), { title: 'second', dueDate: day(0), priority: 'high' })
  await addDialog(other).getByRole('button', { name: 'Add Task' }).click()
  await expect(card(page, 'second')).toBeVisible()
  expect(await titlesOf(page)).toEqual(['second', 'first'])

  await editButton(other, 'first').click()
  await fillTask(editDialog(other), { title: 'edited' })
  await editDialog(other).getByRole('button', { name: 'Save' }).click()
  await expect(card(page, 'edited')).toBeVisible()

  await deleteButton(other, 'second').click()
  await expect(cards(page)).toHaveCount(1)
  expect(calls).toEqual([])
  expect(alerts).toEqual([])
  await expectToasts(page, [])

  await test.step('A tab makes no call for its own changes but those for changes', async () => {
    await expect(cards(other)).toHaveCount(1)
    // The event of this change arrives after those of the page's own.
    await user.add({ title: 'third' })
    await expect(card(other, 'third')).toBeVisible()
    await settle(other, theirs)
    expect(theirs.map(({ call }) => call.replace(/[\w-]{36}/, ':id'))).toEqual([
      'POST /list/addTask',
      'PUT /list/updateTask/:id',
      'DELETE /list/deleteTask/:id',
    ])
  })
  await other.context().close()
})

test('A save that changes nothing shows the change that another device has made just before it', async ({
  page,
  user,
}) => {
  await user.add({ title: 'mine' })
  const theirs = await user.add({ title: 'theirs' })
  await hold(page, 'GET /changes/stream')
  await openDashboard(page)
  await expect(cards(page)).toHaveCount(2)
  await user.remove(theirs)
  await editButton(page, 'mine').click()
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(card(page, 'theirs')).toHaveCount(0)
})

test('A card whose task another device reopens before the card has gone is visible', async ({
  page,
  server,
  user,
}) => {
  const { _id: item } = await user.add({ title: 'reopened' })
  await openFollowing(page)
  await intercept(page, 'POST /changes', async (route) => {
    const response = await route.fetch()
    const reopening = { mutation: randomUUID(), item, set: { done: false } }
    await change(server, user, 'POST', '/changes', { changes: [reopening] })
    await route.fulfill({ response })
  })
  await ring(page, 'reopened').click()
  await expect(ring(page, 'reopened')).not.toBeChecked()
  const animations = () =>
    page.locator('li', { has: card(page, 'reopened') }).evaluate((element) => element.getAnimations().length)
  await expect.poll(animations).toBe(0)
})

test('The tabs of one browser share a stream, which another one takes over when its tab closes, and which a logout closes', async ({
  page,
  context,
  user,
}) => {
  const streams = recordStreams(context)
  await openFollowing(page)
  const second = await context.newPage()
  await openDashboard(second)
  await user.add({ title: 'for both' })
  for (const tab of [page, second]) await expect(card(tab, 'for both')).toBeVisible()
  expect(streams).toEqual([{ ended: false }])

  const taken = second.waitForResponse((response) => response.url().endsWith(streamPath))
  await page.close()
  await taken
  await user.add({ title: 'for the second' })
  await expect(card(second, 'for the second')).toBeVisible()
  expect(streams).toHaveLength(2)

  // The end of the stream of a closed page is not reported.
  expect(streams[1]).toEqual({ ended: false })
  await second.getByRole('button', { name: 'Logout' }).click()
  await expect(second).toHaveURL('/')
  await expect.poll(() => streams[1]).toEqual({ ended: true })
  expect(streams).toHaveLength(2)
})

test('Where the page is not secure, each visible tab has a stream, and a hidden one has none', async ({
  page,
  context,
  user,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'locks', { get: () => undefined }))
  const show = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  const streams = recordStreams(context)
  await openFollowing(page)
  await user.add({ title: 'first' })
  await expect(card(page, 'first')).toBeVisible()
  await show('hidden')
  await expect.poll(() => open(streams)).toBe(0)
  await user.add({ title: 'second' })
  await show('visible')
  await expect(card(page, 'second')).toBeVisible()
  await expect.poll(() => [streams.length, open(streams)]).toEqual([2, 1])
})

test('The stream returns after the browser was offline, and ends when the session ends elsewhere', async ({
  page,
  context,
  server,
  user,
}) => {
  const streams = recordStreams(context)
  await openFollowing(page)
  await test.step('Changes of other devices while the browser was offline appear when it is online again', async () => {
    await context.setOffline(true)
    await user.add({ title: 'meanwhile' })
    await context.setOffline(false)
    await expect(card(page, 'meanwhile')).toBeVisible()
    await user.add({ title: 'afterwards' })
    await expect(card(page, 'afterwards')).toBeVisible()
  })
  await test.step('The stream ends when the session ends elsewhere, and the dashboard stays', async () => {
    await expect.poll(() => open(streams)).toBe(1)
    await change(server, user, 'POST', '/user/logout')
    await expect.poll(() => open(streams)).toBe(0)
    await expect(page).toHaveURL('/dashboard')
  })
})

test('An open edit box keeps the typed text while its task changes elsewhere, and the focus stays', async ({
  page,
  server,
  user,
}) => {
  const { _id } = await user.add({ title: 'Paint' })
  await openFollowing(page)
  await editButton(page, 'Paint').click()
  await fillTask(editDialog(page), { title: 'Paint the mark' })
  const draft = { title: 'Paint elsewhere', body: '', dueDate: day(0), priority: 'low' }
  await change(server, user, 'PUT', `/list/updateTask/${_id}`, draft)
  await expect(page.locator('article', { hasText: 'Paint elsewhere' })).toBeAttached()
  const title = editDialog(page).getByLabel('Title', { exact: true })
  await expect(title).toHaveValue('Paint the mark')
  await expect(title).toBeFocused()
  await change(server, user, 'DELETE', `/list/deleteTask/${_id}`)
  await expect(page.locator('article')).toHaveCount(0)
  await expect(title).toHaveValue('Paint the mark')
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/Failed to update task/).first()).toBeVisible()
})

test('The focus stays on its card while cards above it come and go elsewhere, and the page does not scroll', async ({
  page,
  server,
  user,
}) => {
  for (let number = 10; number < 40; number++) await user.add({ title: `Task ${number}` })
  await openFollowing(page)
  await editButton(page, 'Task 25').focus()
  await editButton(page, 'Task 25').scrollIntoViewIfNeeded()
  const top = () => card(page, 'Task 25').evaluate((element) => element.getBoundingClientRect().top)
  const before = await top()
  // Browsers scroll by whole pixels, and heights of cards are not.
  const expectInPlace = () => expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(1)
  const above = await user.add({ title: 'above', priority: 'high' })
  await expect(card(page, 'above')).toBeAttached()
  await expect(editButton(page, 'Task 25')).toBeFocused()
  await expectInPlace()
  await change(server, user, 'DELETE', `/list/deleteTask/${above._id}`)
  await expect(card(page, 'above')).toHaveCount(0)
  await expect(editButton(page, 'Task 25')).toBeFocused()
  await expectInPlace()
})

test('A key that is meant for a card acts on no other one after another device has removed the card', async ({
  page,
  server,
  user,
}) => {
  const gone = await user.add({ title: 'Feed the cat' })
  await user.add({ title: 'Water the plants' })
  await openFollowing(page)
  await page.keyboard.press('j')
  await expect(card(page, gone.title)).toBeFocused()
  await change(server, user, 'DELETE', `/list/deleteTask/${gone._id}`)
  await expect(card(page, gone.title)).toHaveCount(0)
  await expect(panelTitle(page)).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('Delete')
  await expect(cards(page)).toHaveCount(1)
  await page.keyboard.press('j')
  await expect(card(page, 'Water the plants')).toBeFocused()
})

test('A long list stays complete when another device adds, moves and deletes tasks before and behind the loaded ones', async ({
  page,
  server,
  user,
}) => {
  const tasks = []
  for (let number = 100; number < 170; number++)
    tasks.push(await user.add({ title: `Task ${number}`, priority: 'medium' }))
  await page.setViewportSize({ width: 1280, height: 400 })
  await openFollowing(page)
  await expect(cards(page)).toHaveCount(50)
  const [gone, , third] = tasks
  await user.add({ title: 'before', priority: 'high' })
  await user.add({ title: 'behind', priority: 'low' })
  const last = { body: '', dueDate: day(0), priority: 'low' }
  await change(server, user, 'PUT', `/list/updateTask/${gone?._id}`, { ...last, title: 'moved behind' })
  await change(server, user, 'DELETE', `/list/deleteTask/${third?._id}`)
  const kept = { body: '', dueDate: day(0), priority: 'medium' }
  await change(server, user, 'PUT', `/list/updateTask/${tasks[49]?._id}`, {
    ...kept,
    title: 'last of the page',
  })
  await expect(card(page, 'last of the page')).toBeAttached()
  await expect(cards(page)).toHaveCount(50)
  await cards(page).last().scrollIntoViewIfNeeded()
  await expect(cards(page)).toHaveCount(71)
  const shown = await titlesOf(page)
  await page.setViewportSize({ width: 1280, height: 20_000 })
  await page.reload()
  await expect(cards(page)).toHaveCount(71)
  expect(await titlesOf(page)).toEqual(shown)
})

test('Where there is no stream, everything else works, and a return to the page shows the changes', async ({
  page,
  user,
  alerts,
}) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith(streamPath))
      errors.push(message.text())
  })
  for (const answer of [
    { status: 503 },
    { status: 401 },
    { status: 404 },
    { status: 200 },
    'dropped',
  ] as const) {
    const name = answer === 'dropped' ? 'gets no answer' : `is answered with ${answer.status} and no stream`
    await test.step(`Where the stream ${name}`, async () => {
      const isEmpty = (await user.list('getLatestTasks')).length === 0
      await force(page, 'GET /changes/stream', answer)
      const refused = page.waitForRequest((request) => request.url().endsWith(streamPath))
      await openDashboard(page)
      await refused
      const elsewhere = await user.add({ title: `elsewhere, ${name}` })
      await comeBack(page)
      await expect(card(page, elsewhere.title)).toBeVisible()
      await sidebarButton(page, 'Add Task').click()
      await fillTask(addDialog(page), { title: `here, ${name}`, dueDate: day(0), priority: 'high' })
      await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
      await expect(card(page, `here, ${name}`)).toBeVisible()
      expect(alerts.splice(0)).toEqual(['Task added successfully!'])
      expect(errors).toEqual([])
      await expectToasts(page, isEmpty ? ['info: No tasks for today'] : [])
      await page.unrouteAll({ behavior: 'wait' })
    })
  }
})
