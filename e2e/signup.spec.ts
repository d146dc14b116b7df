import type { Page } from '@playwright/test'
import { force, hold, recordCalls, serverError } from './calls.ts'
import { expect, expectToasts, test } from './fixtures.ts'
import { storedToken } from './local-storage.ts'
import { newcomer } from './user.ts'

const success = 'success: Signup successful! Redirecting to login...'
const failure = 'error: An error occurred during signup. Please try again.'

const field = (page: Page, name: 'Name' | 'Email' | 'Password') => page.getByLabel(name, { exact: true })
const signUpButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Sign up', exact: true })

async function signUp(page: Page, { name, email, password }: ReturnType<typeof newcomer>) {
  await field(page, 'Name').fill(name)
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await signUpButton(page).click()
}

test.beforeEach(({ page }) => page.goto('/signup'))

test('A signup stores the token, says so and goes to /login', async ({ page }) => {
  const calls = recordCalls(page)
  const person = newcomer()
  const release = await hold(page, 'GET /user/validate')
  await signUp(page, person)
  await expect(page).toHaveURL('/login')
  expect(await storedToken(page)).toMatch(/^[\w-]{64}$/)
  await expectToasts(page, [success])
  release()
  await test.step('The token stored by a signup is validated on /login, which leads on to the dashboard', async () => {
    await expect(page).toHaveURL('/dashboard')
    expect(calls.slice(0, 2)).toMatchObject([{ call: 'POST /user/register' }, { call: 'GET /user/validate' }])
  })
  await test.step('Signup sends name, email and password and nothing else', async () => {
    expect(calls[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(calls[0]?.body).toEqual(person)
  })
})

test('A failed signup says so by a toast and on the console, and can be tried again', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const person = newcomer()
  const shown: string[] = []
  for (const [what, answer] of [
    ['that the server answers with an error', serverError],
    ['whose connection is dropped', 'dropped'],
  ] as const)
    await test.step(`A signup ${what}`, async () => {
      errors.length = 0
      await force(page, 'POST /user/register', answer)
      await signUp(page, person)
      shown.push(failure)
      await expectToasts(page, shown)
      await expect(page).toHaveURL('/signup')
      expect(await storedToken(page)).toBeNull()
      expect(errors.length).toBeGreaterThan(0)
      await page.unrouteAll()
      await expect(field(page, 'Email')).toHaveValue(person.email)
    })
  await test.step('A signup answered without a token fails, and stores nothing', async () => {
    await force(page, 'POST /user/register', { status: 200, json: {} })
    await signUpButton(page).click()
    await expectToasts(page, [...shown, 'error: Signup failed. Please try again.'])
    await expect(page).toHaveURL('/signup')
    expect(await storedToken(page)).toBeNull()
    await page.unrouteAll()
  })
  await signUpButton(page).click()
  await expect(page).toHaveURL('/dashboard')
})

test('A rejected signup says why at the field, and Enter sends a corrected one', async ({ page, user }) => {
  const calls = recordCalls(page)
  const person = newcomer()
  await test.step('Signup asks for a name, an email and a new password, each marked for autofill', async () => {
    await expect(field(page, 'Name')).toHaveAttribute('autocomplete', 'name')
    await expect(field(page, 'Email')).toHaveAttribute('type', 'email')
    await expect(field(page, 'Email')).toHaveAttribute('autocomplete', 'email')
    await expect(field(page, 'Password')).toHaveAttribute('type', 'password')
    await expect(field(page, 'Password')).toHaveAttribute('autocomplete', 'new-password')
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(3)
  })
  await test.step('Signup has a link to the login page', async () => {
    await page.getByRole('main').getByRole('link').click()
    await expect(page).toHaveURL('/login')
    await page.goBack()
  })
  await test.step('A signup with an invalid email address is not sent', async () => {
    await signUp(page, { ...person, email: 'ada at example' })
    expect(
      await field(page, 'Email').evaluate((input: HTMLInputElement) => input.validity.typeMismatch),
    ).toBe(true)
    await expectToasts(page, [])
    expect(calls).toEqual([])
  })
  await test.step('Empty signup fields are sent unchecked', async () => {
    await signUp(page, { name: '', email: '', password: '' })
    await expectToasts(page, [failure])
    expect(calls).toMatchObject([
      { call: 'POST /user/register', body: { name: '', email: '', password: '' } },
    ])
  })
  await test.step('An email that already has an account is rejected at its field', async () => {
    await signUp(page, { ...person, email: user.email.toUpperCase() })
    await expectToasts(page, [failure, failure])
    await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true')
    await expect(field(page, 'Email')).toHaveAccessibleDescription(/already has an account/)
    await expect(field(page, 'Password')).toHaveAttribute('aria-invalid', 'false')
  })
  await test.step('A password that is too short is rejected at its field', async () => {
    await signUp(page, { ...person, password: 'seven77' })
    await expectToasts(page, [failure, failure, failure])
    await expect(field(page, 'Password')).toHaveAttribute('aria-invalid', 'true')
    await expect(field(page, 'Password')).toHaveAccessibleDescription(/8/)
    await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'false')
  })
  await test.step('The Enter key signs up', async () => {
    await field(page, 'Password').fill('correct horse battery')
    await field(page, 'Password').press('Enter')
    await expect(page).toHaveURL('/dashboard')
  })
})
