import { hold } from './calls.ts'
import { addDialog, card, cards, fillTask, openDashboard } from './dashboard-page.ts'
import { day, expect, moving, signedInTest as test, test as visitorTest } from './fixtures.ts'
import { holdFile } from './notes-page.ts'

visitorTest.use(moving)

for (const width of [380, 1280]) {
  test(`A dashboard visit at ${width} px shifts layout by 0.02 at most`, async ({ page, user, alerts }) => {
    await page.setViewportSize({ width, height: 800 })
    await user.add({ title: 'Overdue', dueDate: day(-1), body: 'A few words.' })
    await user.add({ title: 'Due today', priority: 'high', body: 'A few words.' })
    const release = await hold(page, 'GET /list/getTodayTasks')
    await openDashboard(page)
    await expect(page.getByRole('status', { name: 'Loading tasks' })).toBeVisible()
    release()
    await expect(cards(page)).toHaveCount(2)
    await page.keyboard.press('2')
    await expect(card(page, 'Due today')).toBeVisible()
    await page.keyboard.press('3')
    await expect(cards(page)).toHaveCount(1)
    await page.keyboard.press('n')
    await fillTask(addDialog(page), { title: 'New', dueDate: day(3), priority: 'high' })
    await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
    await expect(card(page, 'New')).toBeVisible()
    await expect.poll(() => alerts).toHaveLength(1)
    await page.keyboard.press('1')
    await expect(cards(page)).toHaveCount(2)
    expect(await page.evaluate(layoutShift)).toBeLessThanOrEqual(0.02)
  })
}

visitorTest('The landing page shifts by no more than 0.02, also if its font comes late', async ({ page }) => {
  const painted = Promise.withResolvers<void>()
  await page.route('**/*.woff2', (route) => painted.promise.then(() => route.continue()))
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  painted.resolve()
  await page.evaluate(() => document.fonts.ready)
  expect(await page.evaluate(layoutShift)).toBeLessThanOrEqual(0.02)
})

/** The sum of all layout shifts so far that no click or key caused. */
function layoutShift(): Promise<number> {
  return new Promise((done) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]
      done(shifts.filter((shift) => !shift.hadRecentInput).reduce((sum, { value }) => sum + value, 0))
    }).observe({ type: 'layout-shift', buffered: true })
    // Without any shift the observer is never called.
    requestAnimationFrame(() => requestAnimationFrame(() => done(0)))
  })
}

test('The fields of both dialogs keep their places when form tools come late', async ({ page, user }) => {
  await user.add({ title: 'Water the plants', dueDate: day(0) })
  for (const [button, name] of [
    ['Add Task', 'Add New Task'],
    ['Edit Water the plants', 'Edit Task'],
  ] as const) {
    const { arrive } = await holdFile(page, 'rest')
    await openDashboard(page, 'Water the plants')
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog', { name })
    const places = () =>
      dialog
        .locator(':is(h2, [name=title], [name=body], [name=dueDate], [name=priority], footer)')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
    await expect(dialog).toHaveCSS('opacity', '1')
    await expect(dialog).toHaveCSS('transform', 'none')
    const before = await places()
    arrive()
    await expect(dialog.getByLabel('Repeat')).toBeVisible()
    expect(await places()).toEqual(before)
    await page.unrouteAll()
  }
})
