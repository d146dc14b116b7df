import { bottomOf, boxOf } from './boxes.ts'
import { addDialog, card, cards, openDashboard, sidebar, sidebarButton } from './dashboard-page.ts'
import { day, expect, moving, phone, signedInTest as test, test as visitorTest } from './fixtures.ts'
import { logIn } from './sign-in.ts'

visitorTest.use(moving)

const phoneTest = test.extend(phone)

phoneTest('On a phone nine tasks with usual titles are on the screen in full', async ({ page, user }) => {
  for (const title of [
    'Return the library books',
    'Book the ferry for Sunday',
    'Plan Marta’s birthday',
    'Renew the passport',
    'Sign the lease',
    'Water the tomatoes',
    'Call the landlord',
    'Answer Ines',
    'Order firewood',
    'Buy stamps',
  ])
    await user.add({ title, priority: 'medium' })
  await openDashboard(page, 10)
  const bar = await boxOf(page.getByRole('navigation', { name: 'Bottom bar' }))
  expect(await bottomOf(cards(page).nth(8))).toBeLessThanOrEqual(bar.y)
  const cut = await cards(page)
    .locator('h2, time, [data-priority]')
    .evaluateAll(
      (all) => all.filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0).length,
    )
  expect(cut).toBe(0)
})

phoneTest('On a phone a ring is at the edge of its card, with facts on one line', async ({ page, user }) => {
  const nextYear = `${Number(day(0).slice(0, 4)) + 1}-12-23`
  await user.add({ title: 'Renew the passport', priority: 'medium', dueDate: nextYear })
  const repeat = { dueTime: '17:45', repeat: 'FREQ=WEEKLY;BYDAY=MO,TU,TH' }
  await user.add({ title: 'Pay the rent', priority: 'medium', dueDate: day(-10), ...repeat })
  await user.remove(await user.add({ title: 'Old news' }))
  await page.goto('/dashboard?list=latest')
  await expect(cards(page)).toHaveCount(2)
  for (const shown of await cards(page).all()) {
    const { x } = await boxOf(shown)
    const ring = await boxOf(shown.getByRole('checkbox'))
    expect(ring.x).toBeGreaterThanOrEqual(x)
    expect(ring.x + ring.width / 2 - x).toBeLessThan(28)
    const tops = await shown
      .locator('.task-facts time, .task-facts [data-priority]')
      .evaluateAll((facts) => facts.map((fact) => Math.round(fact.getBoundingClientRect().top / 9)))
    expect(tops.length).toBeGreaterThanOrEqual(3)
    expect(new Set(tops).size).toBe(1)
  }

  await page.keyboard.press('0')
  const deleted = card(page, 'Old news')
  const title = await boxOf(deleted.getByRole('heading'))
  expect(title.x).toBe((await boxOf(deleted.locator('[data-priority]'))).x)
})

test('The collapsed sidebar has icons in one column, named on hover and focus', async ({ page }) => {
  await openDashboard(page)
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  const centres = () =>
    sidebar(page)
      .locator('svg')
      .evaluateAll((icons) =>
        icons
          .map((icon) => icon.getBoundingClientRect())
          .filter(({ width }) => width > 0)
          .map(({ left, right }) => (left + right) / 2),
      )
  await expect.poll(async () => new Set((await centres()).map(Math.round)).size).toBe(1)
  expect((await centres()).length).toBeGreaterThanOrEqual(5)
  const name = sidebarButton(page, 'Latest').getByText('Latest')
  await expect(name).toHaveCSS('clip-path', 'inset(50%)')
  await sidebarButton(page, 'Latest').hover()
  await expect(name).toHaveCSS('clip-path', 'none')
  const [label, button] = [await boxOf(name), await boxOf(sidebarButton(page, 'Latest'))]
  expect(label.x).toBeGreaterThanOrEqual(button.x + button.width)
  expect(Math.abs(label.y + label.height / 2 - button.y - button.height / 2)).toBeLessThanOrEqual(1)
  await page.mouse.move(900, 500)
  await expect(name).toHaveCSS('clip-path', 'inset(50%)')
  await sidebarButton(page, 'Add Task').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(sidebarButton(page, 'Latest')).toBeFocused()
  await expect(name).toHaveCSS('clip-path', 'none')
  await test.step('A dialog darkens the space of the scroll bar too, and a double click on its labels selects no text', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.keyboard.press('n')
    await expect(addDialog(page)).toBeVisible()
    const partAt = (x: number) => page.screenshot({ clip: { x, y: 760, width: 4, height: 4 } })
    const space = await page.evaluate(() => innerWidth - document.documentElement.clientWidth)
    await expect.poll(async () => (await partAt(1275)).equals(await partAt(1270 - space))).toBe(true)
    await addDialog(page).getByText('Due Date', { exact: true }).dblclick()
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
  })
})

test('Eleven tasks fit on 1280 × 800 px, and a line shows a scrolled list', async ({ page, user }) => {
  for (let count = 0; count < 12; count++) await user.add({ title: `task ${count}` })
  await openDashboard(page, 12)
  // The row of the undo bar begins there.
  expect(await bottomOf(cards(page).nth(10))).toBeLessThanOrEqual(800 - 48)
  const bar = await boxOf(page.getByRole('banner'))
  const row = (y: number) =>
    page.screenshot({ clip: { x: bar.x + 4, y, width: 8, height: 1 }, animations: 'disabled' })
  const ground = await row(bar.height - 4)
  expect(await row(bar.height)).toEqual(ground)
  await page.evaluate(() => window.scrollTo(0, 50))
  await expect.poll(async () => (await row(bar.height)).equals(ground)).toBe(false)
})

visitorTest('A failed login moves nothing, and the landing page shows today', async ({ page }) => {
  await page.goto('/login')
  const places = () =>
    page
      .locator('main :is(h1, input, button)')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
  const before = await places()
  await logIn(page, { email: 'nobody@example.org', password: 'not the password' })
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  expect(await places()).toEqual(before)
  await test.step('The picture of the dashboard on the landing page has the day of the visitor, and ends with the column of the page at 1,920 px', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 })
    await page.goto('/')
    const days = page.locator('figure time[datetime]')
    await expect(days.nth(2)).toHaveAttribute('datetime', day(0))
    await expect(days.nth(0)).toHaveAttribute('datetime', day(-1))
    const [picture, button] = [
      await boxOf(page.locator('figure > [inert]')),
      await boxOf(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign Up' })),
    ]
    expect(Math.abs(picture.x + picture.width - button.x - button.width)).toBeLessThanOrEqual(1)
  })
})
