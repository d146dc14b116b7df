import { force, hold, recordCalls, requestOf, serverError, settle } from './calls.ts'
import { openDashboard, panelTitle, sidebarButton } from './dashboard-page.ts'
import { expect, expectToasts, signedInTest as test, test as visitorTest } from './fixtures.ts'
import { storedToken, storeToken } from './local-storage.ts'
import { logOut, validityOf } from './sign-in.ts'

test('A 403 on validate when a panel opens removes the token and leads to /login', async ({ page, user }) => {
  await test.step('The validate call is made each time a panel opens', async () => {
    const calls = recordCalls(page)
    const validations = () => calls.filter(({ call }) => call === 'GET /user/validate').length
    await openDashboard(page)
    await expect.poll(validations).toBe(1)
    for (const [index, name] of (['Latest', 'Priority', 'Today'] as const).entries()) {
      // Chromium does not always report the end of a call that the page cancels, as it does when another list opens.
      await settle(page, calls)
      await sidebarButton(page, name).click()
      await expect.poll(validations).toBe(index + 2)
    }
    await settle(page, calls)
  })
  await page.goto('/about')
  for (const panel of ['Today', 'Latest', 'Priority'] as const)
    await test.step(panel, async () => {
      await storeToken(page, user.token)
      const calls = recordCalls(page)
      await openDashboard(page)
      await settle(page, calls)
      const other = panel === 'Latest' ? 'Today' : 'Latest'
      await sidebarButton(page, other).click()
      await expect(sidebarButton(page, other)).toHaveAttribute('aria-current', 'true')
      await settle(page, calls)
      await force(page, 'GET /user/validate', { status: 403 })
      await sidebarButton(page, panel).click()
      await expect(page).toHaveURL('/login')
      expect(await storedToken(page)).toBeNull()
      await page.unrouteAll()
    })
})

test('Answers to validate other than 403, or after the logout, change nothing', async ({ page, user }) => {
  await test.step('Any other answer to validate on the dashboard is only logged to the console', async () => {
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await force(page, 'GET /user/validate', { status: 200, json: { valid: false } })
    await openDashboard(page)
    await expectToasts(page, ['info: No tasks for today'])
    await expect.poll(() => logged.some((line) => line.includes('valid'))).toBe(true)
    await expect(page).toHaveURL('/dashboard')
  })
  await test.step('A validate call that fails with 500 leaves the dashboard as it is', async () => {
    await page.unrouteAll()
    await force(page, 'GET /user/validate', serverError)
    await openDashboard(page)
    await expectToasts(page, ['info: No tasks for today'])
    await expect(page).toHaveURL('/dashboard')
    expect(await storedToken(page)).toBe(user.token)
  })
  await test.step('A validation that is rejected after the logout is not reported', async () => {
    await page.unrouteAll()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    const release = await hold(page, 'GET /user/validate')
    await openDashboard(page)
    const loggedOut = requestOf(page, 'POST /user/logout')
    await logOut(page)
    await loggedOut
    // The call has ended with the page that made it.
    release()
    await page.getByRole('link', { name: 'Login' }).first().click()
    await expect(page).toHaveURL('/login')
    // The browser itself reports calls that the logout overtook.
    for (const complaint of complaints) expect(complaint).toMatch(/^Failed to load resource: .* 40[13] /)
  })
})

visitorTest('The dashboard opens without a token, and leads to /login if rejected', async ({ page }) => {
  const release = await hold(page, 'GET /user/validate')
  await openDashboard(page)
  await expect(panelTitle(page)).toHaveText("Today's Tasks")
  release()
  await expect(page).toHaveURL('/login')
})

test('Logout ends the session and leaves nothing in the browser', async ({ page, user, server }) => {
  const leave = async () => {
    await logOut(page)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  }
  await test.step('Logout works the same when the server cannot be reached', async () => {
    await openDashboard(page)
    await force(page, 'POST /user/logout', 'dropped')
    await leave()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.unrouteAll()
  })
  await test.step('Logout clears all of local storage, ends the session and goes to /', async () => {
    // The session that the server was not told about goes on.
    await storeToken(page, user.token)
    await openDashboard(page)
    await page.evaluate(() => localStorage.setItem('something-else', 'kept by the browser'))
    const calls = recordCalls(page)
    await leave()
    await expect
      .poll(() => calls)
      .toContainEqual(
        expect.objectContaining({
          call: 'POST /user/logout',
          headers: expect.objectContaining({ authorization: `Bearer ${user.token}` }),
        }),
      )
    await expect.poll(() => validityOf(server.address, user.token)).toBe(403)
  })
})
