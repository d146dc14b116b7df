import type { Page } from '@playwright/test'
import { force, serverError } from './calls.ts'
import { openDashboard, sidebarButton } from './dashboard-page.ts'
import { expect, moving, signedInTest, test } from './fixtures.ts'
import { expectToasts, toastsOf } from './toasts.ts'

test.use(moving)

const failure = 'error: Login failed. Please check your credentials.'

const loginButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Login', exact: true })

test('Toasts on public pages are top-right and close by themselves after 5000 ms', async ({ page }) => {
  await page.goto('/login')
  await loginButton(page).click()
  await expectToasts(page, [failure])
  const lasted = () => toastsOf(page).then(([toast]) => toast?.lasted)
  await expect.poll(lasted, { timeout: 15_000 }).toBeGreaterThan(5000)
  expect(await toastsOf(page)).toMatchObject([{ position: 'top-right', autoClose: 5000 }])
})

signedInTest(
  'Toasts on the dashboard are bottom-right and close by themselves after 1000 ms',
  async ({ page }) => {
    await openDashboard(page)
    const lasted = () => toastsOf(page).then(([toast]) => toast?.lasted)
    await expect.poll(lasted, { timeout: 15_000 }).toBeGreaterThan(1000)
    expect(await toastsOf(page)).toMatchObject([{ position: 'bottom-right', autoClose: 1000 }])
  },
)

test('A toast is displayed at its position', async ({ page }) => {
  await page.goto('/login')
  await loginButton(page).click()
  const box = await page.locator('.Toastify__toast').boundingBox()
  expect(box?.x).toBeGreaterThan(1280 / 2)
  expect(box?.y).toBeLessThan(800 / 4)
})

test('There is no limit on simultaneous notifications on public pages', async ({ page }) => {
  await force(page, 'POST /user/login', serverError)
  await page.goto('/login')
  // None goes before the last one has come, however long that takes.
  await page.evaluate(() =>
    document.styleSheets[0]?.insertRule(
      '.Toastify__progress-bar { animation-play-state: paused !important }',
    ),
  )
  for (let shown = 1; shown <= 5; shown++) {
    await loginButton(page).click()
    await expectToasts(page, Array(shown).fill(failure))
  }
  const toasts = await toastsOf(page)
  expect(toasts.filter(({ lasted }) => lasted === undefined)).toHaveLength(5)
})

test('Alt+T moves the focus to the notifications on public pages', async ({ page }) => {
  await page.goto('/login')
  await loginButton(page).click()
  await expectToasts(page, [failure])
  await page.keyboard.press('Alt+t')
  await expect(page.locator('.Toastify__toast')).toBeFocused()
})

test('The toast that announces the dashboard is still read on the dashboard', async ({ page, user }) => {
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await loginButton(page).click()
  await expect(page).toHaveURL('/dashboard')
  const first = async () => (await toastsOf(page))[0]
  await expect.poll(first).toMatchObject({
    text: 'Login successful! Redirecting to dashboard...',
    position: 'top-right',
    autoClose: 5000,
  })
  expect((await first())?.lasted).toBeUndefined()
})

test('Toasts are announced to screen readers', async ({ page }) => {
  await page.goto('/login')
  await loginButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Login failed.' })).toBeVisible()
})

signedInTest('With reduced motion toasts stay as long', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openDashboard(page)
  await expectToasts(page, ['info: No tasks for today'])
  await sidebarButton(page, 'Latest').click()
  await expectToasts(page, ['info: No tasks for today', 'info: No latest tasks found'])
  const toasts = () => toastsOf(page)
  await expect.poll(async () => (await toasts())[1]?.lasted, { timeout: 15_000 }).toBeGreaterThan(1000)
  expect(await toasts()).toMatchObject([{ autoClose: 1000 }, { autoClose: 1000 }])
})
