import type { Page } from '@playwright/test'
import { card } from './dashboard-page.ts'
import { expect, signedInTest, test } from './fixtures.ts'
import { storeToken } from './local-storage.ts'
import { logIn } from './sign-in.ts'
import { newcomer } from './user.ts'

/** Keeps storage events from the page, as if the browser had frozen its tab. */
const ignoreStorageEvents = (page: Page) =>
  page.addInitScript(() =>
    window.addEventListener('storage', (event) => event.stopImmediatePropagation(), { capture: true }),
  )

test('A signup in another tab makes the dashboard that of its account', async ({ page, context, user }) => {
  await user.add({ title: 'of the first account' })
  const other = await context.newPage()
  await other.goto('/signup')
  await page.goto('/login')
  await logIn(page, user)
  await expect(card(page, 'of the first account')).toBeVisible()

  const person = newcomer()
  await other.getByLabel('Name', { exact: true }).fill(person.name)
  await logIn(other, person)
  await expect(other).toHaveURL('/dashboard')

  await expect(page.getByText('No tasks for today', { exact: true }).first()).toBeVisible()
  await expect(card(page, 'of the first account')).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')
})

signedInTest('A tab shown under another account drops data', async ({ page, context, user, stranger }) => {
  await user.add({ title: 'of the first account' })
  await stranger.add({ title: 'of the second account' })
  await ignoreStorageEvents(page)
  await page.goto('/dashboard?list=latest')
  await expect(card(page, 'of the first account')).toBeVisible()
  const tokens = page.getByRole('region', { name: 'Tokens for other programs' })
  const address = tokens.getByLabel('Address of the calendar')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await tokens.getByRole('textbox', { name: 'Name' }).fill('of the first account')
  await tokens.getByLabel('What it does').selectOption('feed')
  await tokens.getByRole('button', { name: 'Make a token' }).click()
  const secret = (await address.inputValue()).replace(/^.*\/feed\/|\.ics$/g, '')
  const other = await context.newPage()
  await other.goto('/about')
  await storeToken(other, stranger.token)
  await expect(address).toBeVisible()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(card(page, 'of the second account')).toBeVisible()
  await expect(card(page, 'of the first account')).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await expect(tokens).toHaveAttribute('aria-busy', 'false')
  await expect(tokens.getByRole('listitem')).toHaveCount(0)
  await expect(address).toHaveCount(0)
  expect(await page.content()).not.toContain(secret)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
    secret,
  )
})
