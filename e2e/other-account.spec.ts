import type { Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import { recordCalls } from './calls.ts'
import { addDialog, card, fillTask, openDashboard, sidebarButton } from './dashboard-page.ts'
import { day } from './days.ts'
import { expect, signedInTest, test } from './fixtures.ts'
import { storedToken } from './local-storage.ts'
import { newcomer, type User } from './user.ts'

/** Stores another account's token in this tab, as a login does. */
const signInAs = (tab: Page, { token }: User) =>
  tab.evaluate(([key, value]) => localStorage.setItem(key, value), [tokenKey, token] as const)

/** Keeps storage events from the page, as if the browser had frozen its tab. */
const ignoreStorageEvents = (page: Page) =>
  page.addInitScript(() =>
    window.addEventListener('storage', (event) => event.stopImmediatePropagation(), { capture: true }),
  )

test('A signup in another tab replaces the session, and the open dashboard becomes that of the new account', async ({
  page,
  context,
  user,
}) => {
  await user.add({ title: 'of the first account' })
  const other = await context.newPage()
  await other.goto('/signup')
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect(card(page, 'of the first account')).toBeVisible()

  const person = newcomer()
  await other.getByLabel('Name', { exact: true }).fill(person.name)
  await other.getByLabel('Email', { exact: true }).fill(person.email)
  await other.getByLabel('Password', { exact: true }).fill(person.password)
  await other.getByLabel('Password', { exact: true }).press('Enter')
  await expect(other).toHaveURL('/dashboard')

  await expect(page.getByText('No tasks for today', { exact: true }).first()).toBeVisible()
  await expect(card(page, 'of the first account')).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')
})

signedInTest(
  'A tab that becomes visible under the token of another account drops its data',
  async ({ page, context, user, stranger }) => {
    await user.add({ title: 'of the first account' })
    await stranger.add({ title: 'of the second account' })
    await ignoreStorageEvents(page)
    await page.goto('/dashboard?list=latest')
    await expect(card(page, 'of the first account')).toBeVisible()
    const other = await context.newPage()
    await other.goto('/about')
    await signInAs(other, stranger)
    await expect(card(page, 'of the first account')).toBeVisible()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(card(page, 'of the second account')).toBeVisible()
    await expect(card(page, 'of the first account')).toHaveCount(0)
    await expect(page).toHaveURL('/dashboard')
  },
)

signedInTest(
  'Text of the first account is not sent under the token of the second',
  async ({ page, context, stranger, alerts }) => {
    await ignoreStorageEvents(page)
    await openDashboard(page)
    await sidebarButton(page, 'Add Task').click()
    await fillTask(addDialog(page), { title: 'of the first account', dueDate: day(0), priority: 'high' })
    const other = await context.newPage()
    await other.goto('/about')
    await signInAs(other, stranger)
    const calls = recordCalls(page)
    await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
    await expect(page.getByText('No tasks for today', { exact: true }).first()).toBeVisible()
    await expect(addDialog(page)).toBeHidden()
    expect(calls.map(({ call }) => call)).not.toContain('POST /list/addTask')
    expect(alerts).toEqual([])
    await sidebarButton(page, 'Add Task').click()
    await expect(addDialog(page).getByLabel('Title', { exact: true })).toHaveValue('')
    expect(await storedToken(page)).toBe(stranger.token)
  },
)
