import type { Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import { recordCalls } from './calls.ts'
import { addDialog, card, fillTask, sidebarButton } from './dashboard-page.ts'
import { day, expect, signedInTest, test } from './fixtures.ts'
import { storedToken } from './local-storage.ts'
import { logIn } from './sign-in.ts'
import { newcomer, type User } from './user.ts'

/** Stores another account's token in this tab, as a login does. */
const signInAs = (tab: Page, { token }: User) =>
  tab.evaluate(([key, value]) => localStorage.setItem(key, value), [tokenKey, token] as const)

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

signedInTest(
  'A tab that becomes visible under the token of another account drops its data',
  async ({ page, context, user, stranger, alerts }) => {
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
    await signInAs(other, stranger)
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

    await test.step('A form of an account whose token is replaced is not sent', async () => {
      await page.keyboard.press('Escape')
      await sidebarButton(page, 'Add Task').click()
      await fillTask(addDialog(page), { title: 'of the second account', dueDate: day(0), priority: 'high' })
      await signInAs(other, user)
      const calls = recordCalls(page)
      await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
      await expect(card(page, 'of the first account')).toBeVisible()
      await expect(addDialog(page)).toBeHidden()
      expect(calls.map(({ call }) => call)).not.toContain('POST /list/addTask')
      expect(alerts).toEqual([])
      await sidebarButton(page, 'Add Task').click()
      await expect(addDialog(page).getByLabel('Title', { exact: true })).toHaveValue('')
      expect(await storedToken(page)).toBe(user.token)
    })
  },
)
