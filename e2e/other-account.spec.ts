import type { Page } from '@playwright/test'
import { apiBase, tokenKey } from '#contract/limits.ts'
import { force, recordCalls } from './calls.ts'
import { addDialog, card, fillTask, quickLine, sidebarButton } from './dashboard-page.ts'
import { day } from './days.ts'
import { expect, signedInTest, test } from './fixtures.ts'
import { storedToken } from './local-storage.ts'
import { field, state, writeButton } from './notes-page.ts'
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

/** Logs in on the page that is shown, by the form. */
async function logIn(page: Page, { email, password }: User) {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
}

/** The ways in which a session ends without a logout, up to the login of the next person in the same tab. What was typed stays until the next login. */
const endings: Record<string, (page: Page) => Promise<unknown>> = {
  async 'a session that the server has ended'(page) {
    await force(page, 'GET /user/validate', { status: 403 })
    await sidebarButton(page, 'Latest').click()
    await expect(page).toHaveURL('/login')
  },
  async 'Back to a public page'(page) {
    await force(page, 'GET /user/validate', { status: 500 })
    // Back to an entry of the history that the page leaves at once is aborted.
    while (!page.url().endsWith('/about')) await page.goBack().catch(() => {})
  },
}

/** The texts of the first account that the browser keeps, by what they are. */
const keptTexts = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .flatMap(([key, text]) => (text.includes('secret') ? [key.split(' ')[0]] : []))
      .sort(),
  )

for (const [ending, end] of Object.entries(endings))
  test(`After ${ending}, nothing of the first account is sent in the session of the next one in the same tab`, async ({
    page,
    user,
    stranger,
  }) => {
    await page.clock.install()
    await page.goto('/about')
    await page.getByRole('link', { name: 'Login' }).first().click()
    await logIn(page, user)
    await expect(page).toHaveURL('/dashboard')
    await force(page, 'POST /changes', 'dropped')
    await expect(page.getByText('No tasks for today', { exact: true }).first()).toBeVisible()
    await quickLine(page).fill('secret task')
    await quickLine(page).press('Enter')
    await expect(card(page, 'secret task')).toBeVisible()
    await sidebarButton(page, 'Add Task').click()
    await addDialog(page).getByLabel('Title', { exact: true }).fill('secret draft')
    await page.keyboard.press('Escape')
    await expect(addDialog(page)).toBeHidden()
    await page.keyboard.press('w')
    await field(page).pressSequentially('secret of the first account')
    await page.clock.runFor(2000)
    await state(page, /Saved on this device/)
    await end(page)
    await page.unrouteAll({ behavior: 'wait' })

    const sent: { authorization: string | undefined; body: string | null }[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      // The login ends the session that the browser still holds, by a call of that session.
      if (pathname.startsWith(apiBase) && pathname !== `${apiBase}/user/logout`)
        sent.push({ authorization: request.headers().authorization, body: request.postData() })
    })
    // A valid token of the first account would lead back to its dashboard.
    await force(page, 'GET /user/validate', { status: 500 })
    if (!page.url().endsWith('/login')) await page.getByRole('link', { name: 'Login' }).first().click()
    await logIn(page, stranger)
    await expect(page.getByText('No tasks for today', { exact: true }).first()).toBeVisible()
    const token = await storedToken(page)
    for (let minute = 0; minute < 5; minute++) await page.clock.runFor(60_000)
    await page.getByRole('button', { name: 'Notes', exact: true }).click()
    await expect(writeButton(page)).toBeVisible()
    expect(await storedToken(page)).toBe(token)
    const after = sent.slice(sent.findIndex(({ body }) => body?.includes(stranger.email)) + 1)
    expect(new Set(after.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${token}`]))
    expect(after.filter(({ body }) => body?.includes('secret'))).toEqual([])
    await expect(page.getByText('secret')).toHaveCount(0)
    expect(await keptTexts(page)).toEqual(['draft', 'note-draft', 'outbox'])
  })
