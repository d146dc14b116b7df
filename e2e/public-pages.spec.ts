import { expect, test } from './fixtures.ts'
import { logIn } from './sign-in.ts'

const publicPages = ['/', '/about', '/login', '/signup']

test('Every public page has a navbar, a footer and a title, and hydrates whole', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 240 })
  const main = page.getByRole('main')
  const navbar = page.getByRole('navigation', { name: 'Main' })
  const footer = page.getByRole('contentinfo')
  const titles = new Set<string>()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  for (const path of publicPages) {
    const html = (await (await page.goto(path))?.text()) ?? ''
    await test.step('Every route has a title of its own and says which language it is in', async () => {
      titles.add(await page.title())
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    })
    await test.step('The navbar of every public page stays at the top while the page scrolls', async () => {
      await footer.getByText('Legal').scrollIntoViewIfNeeded()
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
      await expect(navbar).toBeInViewport({ ratio: 1 })
      expect((await navbar.boundingBox())?.y).toBeLessThan(24)
    })
    await test.step('The footer of every public page has lists under Features, Resources, Company and Legal, and no links or buttons', async () => {
      await expect(footer.getByRole('heading')).toHaveText(['Features', 'Resources', 'Company', 'Legal'])
      await expect(footer.getByRole('list')).toHaveCount(4)
      for (const list of await footer.getByRole('list').all()) {
        await expect(list.getByRole('listitem').first()).toBeVisible()
      }
      await expect(footer.getByRole('link').or(footer.getByRole('button'))).toHaveCount(0)
    })
    if (path === '/')
      await test.step('The landing page has a headline, a subtitle and a Write a Note button that goes to /login', async () => {
        await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(main.getByText('a simple and elegant way to manage tasks and notes')).toBeVisible()
        await main.getByRole('link', { name: 'Write a Note' }).click()
        await expect(page).toHaveURL('/login')
        await page.goto(path)
      })
    if (path === '/about')
      await test.step('The about page has two descriptive paragraphs', async () => {
        await expect(main.getByRole('paragraph')).toHaveCount(2)
        for (const text of await main.getByRole('paragraph').allInnerTexts())
          expect(text.length).toBeGreaterThan(100)
      })
    await test.step('A public page hydrates its prerendered HTML without an error or a changed word', async () => {
      // React keeps its own properties on an element that it has hydrated.
      await page.waitForFunction(() => Object.keys(document.querySelector('main h1') ?? {}).length > 0)
      expect(html).toContain(await page.getByRole('heading', { level: 1 }).innerText())
    })
    await test.step('The navbar of every public page shows the brand, the links Home and About Us and the buttons Login and Sign Up', async () => {
      await expect(navbar.getByText('Daymark')).toBeVisible()
      for (const [name, target] of [
        ['Home', '/'],
        ['About Us', '/about'],
        ['Login', '/login'],
        ['Sign Up', '/signup'],
      ] as const) {
        const title = await page.title()
        await navbar.getByRole('link', { name, exact: true }).click()
        await expect(page).toHaveURL(target)
        if (path === '/' && target === '/about') await expect(page).not.toHaveTitle(title)
        if (target !== path) await page.goBack()
        await expect(page).toHaveURL(path)
      }
    })
  }
  expect(complaints).toEqual([])
  expect(titles.size).toBe(publicPages.length)

  await test.step('The Explore Features button on the about page does nothing', async () => {
    await page.goto('/about', { waitUntil: 'networkidle' })
    const before = await page.locator('body').innerHTML()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.getByRole('button', { name: 'Explore Features' }).click()
    await expect(page).toHaveURL('/about')
    expect(await page.locator('body').innerHTML()).toBe(before)
    expect(requests).toEqual([])
  })
  await test.step("An unknown address gets the page's own 404 with a way back", async () => {
    const response = await page.goto('/no/such/page')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await page.getByRole('main').getByRole('link').click()
    await expect(page).toHaveURL('/')
  })
})

const plainTest = test.extend({ javaScriptEnabled: false })

plainTest('Without JavaScript public pages can be read, and no URL has a password', async ({ page }) => {
  for (const path of publicPages) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('contentinfo').getByRole('heading', { name: 'Legal' })).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About Us' }).click()
    await expect(page).toHaveURL('/about')
    await expect(page.getByRole('main').getByRole('paragraph')).toHaveCount(2)
  }
  await page.goto('/login')
  await logIn(page, { email: 'ada@example.org', password: 'secret' })
  await page.waitForLoadState()
  expect(page.url()).not.toContain('secret')
})
