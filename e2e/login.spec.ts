import type { Page } from '@playwright/test'
import { force, hold, recordCalls, serverError } from './calls.ts'
import { expect, expectToasts, test } from './fixtures.ts'
import { storedToken } from './local-storage.ts'
import { holdFile } from './notes-page.ts'

const success = 'success: Login successful! Redirecting to dashboard...'
const failure = 'error: Login failed. Please check your credentials.'

const email = (page: Page) => page.getByLabel('Email', { exact: true })
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const loginButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Login', exact: true })

async function logIn(page: Page, given: { email: string; password: string }) {
  await email(page).fill(given.email)
  await password(page).fill(given.password)
  await loginButton(page).click()
}

test.beforeEach(({ page }) => page.goto('/login'))

test('Login asks for an email and a password, each marked for autofill', async ({ page }) => {
  await expect(email(page)).toHaveAttribute('type', 'email')
  await expect(email(page)).toHaveAttribute('autocomplete', 'email')
  await expect(password(page)).toHaveAttribute('type', 'password')
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password')
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(2)
  await test.step('The password can be shown and hidden', async () => {
    await password(page).fill('correct horse battery')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(password(page)).toHaveAttribute('type', 'text')
    await expect(password(page)).toHaveValue('correct horse battery')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(password(page)).toHaveAttribute('type', 'password')
  })
  const calls = recordCalls(page)
  await test.step('A login with an invalid email address is not sent', async () => {
    await logIn(page, { email: 'ada at example', password: 'correct horse battery' })
    expect(await email(page).evaluate((input: HTMLInputElement) => input.validity.typeMismatch)).toBe(true)
    await expectToasts(page, [])
    expect(calls).toEqual([])
  })
  await test.step('Empty login fields are sent unchecked, and the error is shown at the field', async () => {
    await logIn(page, { email: '', password: '' })
    await expectToasts(page, [failure])
    expect(calls).toMatchObject([{ call: 'POST /user/login', body: { email: '', password: '' } }])
    await expect(email(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(email(page)).toHaveAccessibleDescription(/\w+/)
    await expect(email(page)).toBeFocused()
  })
  await test.step('Login has a link to the signup page', async () => {
    await page.getByRole('main').getByRole('link').click()
    await expect(page).toHaveURL('/signup')
  })
})

test('A login stores the token, says so and goes to the dashboard', async ({ page, user }) => {
  const release = await hold(page, 'POST /user/login')
  const calls = recordCalls(page)
  await logIn(page, user)
  await test.step('Nothing on the form is disabled while an answer is awaited, and a second Enter sends nothing more', async () => {
    await expect(loginButton(page)).toBeEnabled()
    await password(page).press('Enter')
    release()
  })
  await expect(page).toHaveURL('/dashboard')
  expect(calls.filter(({ call }) => call === 'POST /user/login')).toHaveLength(1)
  expect(await storedToken(page)).toMatch(/^[\w-]{64}$/)
  expect(await storedToken(page)).not.toBe(user.token)
  await expectToasts(page, [success, 'info: No tasks for today'])
  await test.step('Login sends email and password and nothing else', async () => {
    expect(calls[0]).toMatchObject({
      call: 'POST /user/login',
      headers: { 'content-type': 'application/json' },
    })
    expect(calls[0]?.body).toEqual({ email: user.email, password: user.password })
  })
})

test('A wrong password fails with a toast and on the console, and stores nothing', async ({ page, user }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await logIn(page, { ...user, password: 'not the password' })
  await expectToasts(page, [failure])
  await expect(page).toHaveURL('/login')
  expect(await storedToken(page)).toBeNull()
  expect(errors.length).toBeGreaterThan(0)
  const shown = [failure]
  for (const [what, answer] of [
    ['answered without a token', { status: 200, json: {} }],
    ['that the server answers with an error', serverError],
    ['without an answer from the server', 'dropped'],
  ] as const)
    await test.step(`A login ${what} fails`, async () => {
      await force(page, 'POST /user/login', answer)
      await loginButton(page).click()
      shown.push(failure)
      await expectToasts(page, shown)
      await expect(page).toHaveURL('/login')
      expect(await storedToken(page)).toBeNull()
      await page.unrouteAll()
    })
  // The page shows why.
  await expect(page.getByRole('main').getByText('Cannot reach the server')).toBeVisible()
  await test.step('After a failure the form keeps its values and can be submitted again at once', async () => {
    await expect(email(page)).toHaveValue(user.email)
    await expect(loginButton(page)).toBeEnabled()
  })
  await test.step('The Enter key logs in', async () => {
    await password(page).fill(user.password)
    await password(page).press('Enter')
    await expect(page).toHaveURL('/dashboard')
  })
})

test('A login that is submitted before the page has loaded is sent then', async ({ page, user }) => {
  const { arrive } = await holdFile(page, 'credentials')
  await page.reload({ waitUntil: 'commit' })
  await logIn(page, user)
  await expect(loginButton(page)).toHaveAttribute('aria-busy', 'true')
  await expect(password(page)).toHaveValue(user.password)
  arrive()
  await expect(page).toHaveURL('/dashboard')
})
