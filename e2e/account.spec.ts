import { readFile } from 'node:fs/promises'
import { ZipBuffer } from 'node:zlib'
import type { APIRequestContext, Page } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import { openDashboard, quickLine } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { storedToken } from './local-storage.ts'

const logIn = async (request: APIRequestContext, { email }: { email: string }, password: string) =>
  (await request.post(`${apiBase}/user/login`, { data: { email, password } })).status()

async function openAccount(page: Page) {
  await openDashboard(page)
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  return page.getByRole('dialog', { name: 'Account' })
}

test('The password is changed in Account, with the current one alone', async ({ page, user, request }) => {
  const account = await openAccount(page)
  await test.step('Text that was typed into the dialog is gone when it opens again', async () => {
    await account.getByLabel('Current password', { exact: true }).fill(user.password)
    await account.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await expect(account.getByLabel('Current password', { exact: true })).toHaveValue('')
  })
  await test.step('A wrong current password is rejected, and no input is lost', async () => {
    await account.getByLabel('Current password', { exact: true }).fill('not the password')
    await account.getByLabel('New password', { exact: true }).fill('another long password')
    await account.getByRole('button', { name: 'Change password' }).click()
    await expect(account.getByText('Current password is not right')).toBeVisible()
    await expect(account.getByLabel('New password', { exact: true })).toHaveValue('another long password')
  })
  await account.getByLabel('Current password', { exact: true }).fill(user.password)
  await account.getByRole('button', { name: 'Change password' }).click()
  await expect(account.getByText('Your password is changed.')).toBeVisible()
  expect(await storedToken(page)).toBe(user.token)
  expect(await logIn(request, user, 'another long password')).toBe(200)
})

test('Account exports all data as a zip, by an address without the token', async ({ page, user }) => {
  await user.add({ title: 'Buy milk' })
  const account = await openAccount(page)
  const downloaded = page.waitForEvent('download')
  await account.getByRole('button', { name: 'Export all data', exact: true }).click()
  const download = await downloaded
  expect(download.suggestedFilename()).toMatch(/^daymark-\d{4}-\d\d-\d\d\.zip$/)
  expect(download.url()).not.toContain(user.token)
  const tasks = await new ZipBuffer(await readFile(await download.path())).get('tasks.jsonl').content()
  expect(tasks.toString()).toContain('"title":"Buy milk"')
  await expect(account.getByText('All of it was sent to your browser.')).toBeVisible()
  await test.step('An export shows how much was sent, is cancelled, and is offered before the account is deleted', async () => {
    // So that the export does not end, whatever the browser downloads.
    await page.route(`${apiBase}/export/*`, (route) =>
      route.request().method() === 'GET'
        ? route.fulfill({ json: { export: { percent: 0 } } })
        : route.continue(),
    )
    await openAccount(page)
    await account.getByRole('button', { name: 'Export all data first' }).click()
    await expect(account.getByRole('progressbar', { name: 'Export' })).toHaveAttribute('value', '0')
    await expect(account).toContainText('deleting the account ends it')
    await account.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await account.getByRole('button', { name: 'Cancel the export' }).click()
    await expect(account.getByText('The export was cancelled.')).toBeVisible()
    await expect(account.getByRole('progressbar')).toHaveCount(0)
  })
})

test('Deleting the account asks for the password, then leads to /', async ({ page, user, request }) => {
  await openDashboard(page)
  await quickLine(page).fill('Buy milk')
  await page.evaluate(() => localStorage.setItem('outbox another-account mutation', '{}'))
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  const account = page.getByRole('dialog', { name: 'Account' })
  await expect(account).toContainText('So is what was typed here and not saved: “Buy milk”')
  await expect(account).toContainText(
    'One change of another account was not sent. Deleting the account removes it',
  )
  await account.getByLabel('Password', { exact: true }).fill(user.password)
  await account.getByRole('button', { name: 'Delete account, tasks and notes' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  expect(await logIn(request, user, user.password)).toBe(401)
})

test('A logout in one tab leaves the dashboard in others, which keep nothing', async ({ page, context }) => {
  await openDashboard(page)
  await page.evaluate(() => sessionStorage.setItem('something', 'kept by the tab'))
  const other = await context.newPage()
  await openDashboard(other)
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})
