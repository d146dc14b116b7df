import type { Browser, Page } from '@playwright/test'
import { force, hold, recordCalls } from './calls.ts'
import { addDialog, openDashboard, panelTitle } from './dashboard-page.ts'
import { otherDevice } from './devices.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { storeToken } from './local-storage.ts'
import type { Server } from './server.ts'
import { logInElsewhere, logOut } from './sign-in.ts'
import type { User } from './user.ts'

const account = (page: Page) => page.getByRole('dialog', { name: 'Account' })
const openAccount = (page: Page) => page.getByRole('button', { name: 'Account', exact: true }).click()
const choose = (page: Page, label: string, option: string) =>
  account(page).getByLabel(label).selectOption({ label: option })
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const [paper, water] = ['rgb(246, 243, 236)', 'rgb(17, 23, 27)']
const answered = (page: Page, method: string) =>
  page.waitForResponse(
    (response) => response.url().endsWith('/settings') && response.request().method() === method,
  )
const saved = (page: Page) => answered(page, 'PATCH')

/** Another device, which has logged in on its own. */
const onDevice = async (browser: Browser, server: Server, user: User) =>
  otherDevice(browser, server, { ...user, token: await logInElsewhere(server.address, user) })

test('The theme is applied at once, by the next first paint, and on public pages', async ({ page }) => {
  await openDashboard(page)
  await test.step('The keys are turned off and on in Account and in the list of keys alike', async () => {
    await openAccount(page)
    await account(page).getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
    await page.reload()
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await page.keyboard.press('n')
    await page.getByRole('button', { name: 'Keys', exact: true }).click()
    await expect(addDialog(page)).toBeHidden()
    await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Swipe to the right')
    await expect(page.getByLabel('Single-key shortcuts')).not.toBeChecked()
    await page.getByLabel('Single-key shortcuts').check()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('n')
    await expect(addDialog(page)).toBeVisible()
  })
  await page.keyboard.press('Escape')
  await expect(addDialog(page)).toBeHidden()
  expect(await ground(page)).toBe(paper)
  await openAccount(page)
  await choose(page, 'Theme', 'Dark')
  await expect.poll(() => ground(page)).toBe(water)
  // Before any module has run: the first paint has the theme.
  await page.route(/\/assets\/index-.*\.js$/, (route) => route.abort())
  for (const path of ['/dashboard', '/about']) {
    await page.goto(path)
    expect(await ground(page)).toBe(water)
    const media = await page
      .locator('meta[name=theme-color]')
      .evaluateAll((all) => all.map((meta) => (meta as HTMLMetaElement).media))
    expect(media).toEqual(['not all', 'all'])
  }
})

test('Settings survive a logout, and follow to devices', async ({ page, context, browser, server, user }) => {
  await openDashboard(page)
  await openAccount(page)
  for (const [label, option] of Object.entries({ Theme: 'Dark', 'First day of the week': 'Sunday' })) {
    const answer = saved(page)
    await choose(page, label, option)
    expect((await answer).status()).toBe(200)
  }
  await page.keyboard.press('Escape')
  const tab = await context.newPage()
  await openDashboard(tab)
  const collapsed = saved(page)
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await collapsed
  await expect(tab.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
  await logOut(page)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  await expect.poll(() => ground(page)).toBe(paper)

  const other = await onDevice(browser, server, user)
  const calls: string[] = []
  other.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(pathname.replace('/api/v1', ''))
  })
  const release = await hold(other, 'GET /list/getTodayTasks')
  await openDashboard(other)
  expect(calls).not.toContain('/settings')
  release()
  await expect.poll(() => ground(other)).toBe(water)
  await expect(other.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
  await expect(other.locator('[role=grid] th').first()).toHaveAttribute('aria-label', 'Sunday')
  expect(calls.filter((path) => path === '/settings')).toHaveLength(1)
  expect(calls.indexOf('/settings')).toBeGreaterThan(calls.indexOf('/list/getTodayTasks'))
  await other.context().close()
})

test('A choice without a connection is sent by the next visit', async ({ page, user, browser, server }) => {
  await openDashboard(page)
  await expect(panelTitle(page)).toBeVisible()
  await force(page, 'PATCH /settings', 'dropped')
  await openAccount(page)
  await choose(page, 'Theme', 'Dark')
  await expect.poll(() => ground(page)).toBe(water)
  await expect(account(page).getByRole('status').filter({ hasText: 'not saved' })).toBeVisible()
  await page.unrouteAll()
  const sent = saved(page)
  await page.reload()
  await sent
  const other = await onDevice(browser, server, user)
  await openDashboard(other)
  await expect.poll(() => ground(other)).toBe(water)
  await other.context().close()
})

test('Settings that two devices choose at once are both kept', async ({ page, browser, server, user }) => {
  const other = await onDevice(browser, server, user)
  for (const device of [page, other]) {
    const loaded = answered(device, 'GET')
    await openDashboard(device)
    await loaded
    await openAccount(device)
  }
  const calls = recordCalls(page)
  const release = await hold(page, 'PATCH /settings')
  await choose(page, 'Theme', 'Dark')
  await choose(page, 'Theme', 'Light')
  const byOther = saved(other)
  await choose(other, 'First day of the week', 'Saturday')
  await byOther
  await choose(page, 'Theme', 'Dark')
  await account(page).getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
  release()
  await expect(account(page).getByLabel('First day of the week')).toHaveValue('saturday')
  await expect(account(page).getByLabel('Theme')).toHaveValue('dark')
  await expect
    .poll(() => calls.filter(({ ended }) => ended).map(({ body }) => body))
    .toEqual([{ settings: { theme: 'dark' } }, { settings: { keys: false } }])
  await other.reload()
  await openAccount(other)
  await expect(account(other).getByLabel('Theme')).toHaveValue('dark')
  await expect(account(other).getByRole('checkbox', { name: 'Single-key shortcuts' })).not.toBeChecked()
  await other.context().close()
})

test('The settings of one account are not those of the next in this browser', async ({ page, stranger }) => {
  await openDashboard(page)
  const answer = saved(page)
  await openAccount(page)
  await choose(page, 'Theme', 'Dark')
  await answer
  await storeToken(page, stranger.token)
  await openDashboard(page, 0)
  await expect.poll(() => ground(page)).toBe(paper)
})
