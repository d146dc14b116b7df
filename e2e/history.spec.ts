import { force, recordCalls, settle } from './calls.ts'
import { addDialog, editButton, openDashboard, panelTitle, sidebarButton } from './dashboard-page.ts'
import { expect, phone, signedInTest as test, test as visitorTest } from './fixtures.ts'
import { storeToken } from './local-storage.ts'
import { logIn, logOut } from './sign-in.ts'
import { newcomer } from './user.ts'

const views = [
  ['/dashboard', 'Today', "Today's Tasks"],
  ['/dashboard?list=latest', 'Latest', 'Recent'],
  ['/dashboard?list=priority', 'Priority', 'Mark the urgent'],
] as const

test('The URL opens its list, or Today if it is unknown, and a reload keeps it', async ({ page }) => {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  const calls = recordCalls(page)
  const loaded: string[] = []
  page.on('request', (request) => request.url().includes('/list/') && loaded.push(request.url()))
  for (const [path, name, title] of views)
    await test.step(`${path} opens ${name}`, async () => {
      loaded.length = 0
      await page.goto(path)
      await expect(panelTitle(page)).toHaveText(title)
      await page.reload()
      await expect(panelTitle(page)).toHaveText(title)
      await expect(sidebarButton(page, name)).toHaveAttribute('aria-current', 'true')
      await settle(page, calls)
      expect(new Set(loaded).size).toBe(1)
      expect(complaints).toEqual([])
    })
  await test.step('An unknown list in the URL shows Today', async () => {
    for (const name of ['nothing', '__proto__', '']) {
      await page.goto(`/dashboard?list=${name}`)
      await expect(panelTitle(page)).toHaveText("Today's Tasks")
      await expect(sidebarButton(page, 'Today')).toHaveAttribute('aria-current', 'true')
    }
  })
})

test('Back and Forward move between lists, and a button that opens one focuses it', async ({ page }) => {
  await page.goto('/about')
  await openDashboard(page)
  await test.step('Keys and Back in quick succession lead to the list of the URL', async () => {
    const entries = await page.evaluate(() => history.length)
    /** All of it before the page renders anything. */
    const press = (keys: string, andBack = false) =>
      page.evaluate(
        async ([keys, andBack]) => {
          for (const key of keys)
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
          if (!andBack) return
          const isBack = new Promise((done) => addEventListener('popstate', done, { once: true }))
          history.back()
          await isBack
        },
        [keys, andBack] as const,
      )
    await press('2', true)
    await expect(page).toHaveURL('/dashboard')
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await press('221')
    await expect(page).toHaveURL('/dashboard')
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    expect(await page.evaluate(() => history.length)).toBe(entries + 2)
  })
  await sidebarButton(page, 'Latest').press('Enter')
  await expect(page).toHaveURL('/dashboard?list=latest')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('3')
  await expect(page).toHaveURL('/dashboard?list=priority')
  await sidebarButton(page, 'Today').click()
  await expect(page).toHaveURL('/dashboard')
  for (const title of ['Mark the urgent', 'Recent', "Today's Tasks"]) {
    await page.goBack()
    await expect(panelTitle(page)).toHaveText(title)
  }
  await page.goForward()
  await expect(panelTitle(page)).toHaveText('Recent')
  await expect(sidebarButton(page, 'Latest')).toHaveAttribute('aria-current', 'true')
  for (const _ of ['Today', 'Latest', 'Today', 'About']) await page.goBack()
  await expect(page).toHaveURL('/about')
})

visitorTest('Back after a login or a signup skips the pages of both', async ({ page, user }) => {
  for (const [name, person] of Object.entries({ Login: user, 'Sign Up': newcomer() }))
    await test.step(name, async () => {
      await page.goto('/about')
      await page.evaluate(() => localStorage.clear())
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
      if (name === 'Sign Up') await page.getByLabel('Name', { exact: true }).fill(person.name)
      await logIn(page, person)
      await expect(page).toHaveURL('/dashboard')
      await page.goBack()
      await expect(page).toHaveURL('/about')
      // The next document must not be asked for while Back still loads this one.
      await page.waitForLoadState()
    })
})

test('Back after the dashboard, a refusal or a logout shows the page before it', async ({ page, user }) => {
  await page.goto('/about')
  await test.step('It is not trapped by the redirect of a valid token', async () => {
    await page.goto('/')
    await expect(page).toHaveURL('/dashboard')
    await page.goBack()
    await expect(page).toHaveURL('/about')
  })
  await test.step('Back after a refused validation is not trapped by the redirect to /login', async () => {
    await force(page, 'GET /user/validate', { status: 403 })
    await page.goto('/dashboard')
    await expect(page).toHaveURL('/login')
    await page.goBack()
    await expect(page).toHaveURL('/about')
    await page.unrouteAll()
  })
  await test.step('Back after a logout does not show the dashboard again', async () => {
    await storeToken(page, user.token)
    await openDashboard(page)
    await logOut(page)
    await page.goBack()
    await expect(page).toHaveURL('/about')
  })
})

test('Back first closes an open dialog and keeps its text, then leads back', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page)
  await sidebarButton(page, 'Latest').click()
  const back = () => page.evaluate(() => history.back())
  const title = () => page.getByRole('dialog').getByLabel('Title', { exact: true })
  for (const open of [
    () => sidebarButton(page, 'Add Task').click(),
    () => editButton(page, 'Water the plants').click(),
  ]) {
    await open()
    await title().fill('Feed the cat')
    await back()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(panelTitle(page)).toHaveText('Recent')
    await open()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(title()).toHaveValue('Feed the cat')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await back()
  await expect(panelTitle(page)).toHaveText("Today's Tasks")
})

const phoneTest = test.extend(phone)

// Escape is the close request of a desktop; Android's Back gesture sends the browser the same request.
phoneTest('On a phone a close request closes the dialog and the drawer, not the page', async ({ page }) => {
  await openDashboard(page)
  const entries = await page.evaluate(() => history.length)
  await page.getByRole('button', { name: 'Open menu' }).tap()
  await expect(sidebarButton(page, 'Today')).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(sidebarButton(page, 'Today')).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).tap()
  await sidebarButton(page, 'Add Task').tap()
  await expect(addDialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(addDialog(page)).toBeHidden()
  await expect(page).toHaveURL('/dashboard')
  expect(await page.evaluate(() => history.length)).toBe(entries)
})
