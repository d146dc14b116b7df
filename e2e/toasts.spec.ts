import type { Page } from '@playwright/test'
import { force, serverError } from './calls.ts'
import { openDashboard, sidebarButton } from './dashboard-page.ts'
import { expect, moving, signedInTest as test, test as visitorTest } from './fixtures.ts'
import { logIn } from './sign-in.ts'
import { expectToasts, toastsOf } from './toasts.ts'

visitorTest.use(moving)

const failure = 'error: Login failed. Please check your credentials.'

const loginButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Login', exact: true })

visitorTest('Toasts on public pages are top-right and close themselves after 5000 ms', async ({ page }) => {
  await page.goto('/login')
  await loginButton(page).click()
  await expectToasts(page, [failure])
  const lasted = () => toastsOf(page).then(([toast]) => toast?.lasted)
  await expect.poll(lasted).toBeGreaterThan(5000)
  expect(await toastsOf(page)).toMatchObject([{ position: 'top-right', autoClose: 5000 }])
})

test('Toasts on the dashboard are bottom-right and close by themselves after 1000 ms', async ({ page }) => {
  const lasted = async (index: number) => (await toastsOf(page))[index]?.lasted
  const toast = { position: 'bottom-right', autoClose: 1000 }
  await openDashboard(page)
  await expect.poll(() => lasted(0)).toBeGreaterThan(1000)
  await test.step('With reduced motion toasts stay as long', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await sidebarButton(page, 'Latest').click()
    await expectToasts(page, ['info: No tasks for today', 'info: No latest tasks found'])
    await expect.poll(() => lasted(1)).toBeGreaterThan(1000)
  })
  expect(await toastsOf(page)).toMatchObject([toast, toast])
})

visitorTest('There is no limit on simultaneous notifications on public pages', async ({ page }) => {
  await force(page, 'POST /user/login', serverError)
  await page.goto('/login')
  // None goes before the last one has come, however long that takes.
  await page.evaluate(() =>
    document.styleSheets[0]?.insertRule(
      '.Toastify__progress-bar { animation-play-state: paused !important }',
    ),
  )
  await loginButton(page).click()
  await test.step('A toast is displayed at its position', async () => {
    const box = await page.locator('.Toastify__toast').boundingBox()
    expect(box?.x).toBeGreaterThan(1280 / 2)
    expect(box?.y).toBeLessThan(800 / 4)
  })
  await test.step('Toasts are announced to screen readers', () =>
    expect(page.getByRole('alert').filter({ hasText: 'Login failed.' })).toBeVisible())
  await test.step('Alt+T moves the focus to the notifications on public pages', async () => {
    await expectToasts(page, [failure])
    await page.keyboard.press('Alt+t')
    await expect(page.locator('.Toastify__toast')).toBeFocused()
  })
  for (let shown = 2; shown <= 5; shown++) {
    await loginButton(page).click()
    await expectToasts(page, Array(shown).fill(failure))
  }
  const toasts = await toastsOf(page)
  expect(toasts.filter(({ lasted }) => lasted === undefined)).toHaveLength(5)
})

visitorTest('The toast that announces the dashboard is still read on it', async ({ page, user }) => {
  await page.goto('/login')
  await logIn(page, user)
  await expect(page).toHaveURL('/dashboard')
  const first = async () => (await toastsOf(page))[0]
  await expect.poll(first).toMatchObject({
    text: 'Login successful! Redirecting to dashboard...',
    position: 'top-right',
    autoClose: 5000,
  })
  expect((await first())?.lasted).toBeUndefined()
})
