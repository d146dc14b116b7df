import { force, hold, keepFailed, recordCalls, requestOf, serverError, settle } from './calls.ts'
import {
  card,
  cards,
  chip,
  openDashboard,
  openList,
  panelTitle,
  quickLine,
  ring,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, expectToasts, signedInTest as test } from './fixtures.ts'

test('The Today list is loaded each time the panel opens', async ({ page, user }) => {
  const text = page.getByRole('main').getByText('No tasks for today', { exact: true })
  const calls = recordCalls(page)
  const loads = () => calls.filter(({ call }) => call === 'GET /list/getTodayTasks').length
  await test.step('The empty Today panel is titled "Today\'s Tasks", and says and announces "No tasks for today"', async () => {
    const release = await hold(page, 'GET /list/getTodayTasks')
    await openDashboard(page)
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await expectToasts(page, [])
    await expect(text).toBeHidden()
    release()
    await expectToasts(page, ['info: No tasks for today'])
    await expect(text).toBeVisible()
    await expect(cards(page)).toHaveCount(0)
  })
  await openList(page, 'Latest')
  await user.add({ title: 'added elsewhere' })
  await sidebarButton(page, 'Today').click()
  await expect(card(page, 'added elsewhere')).toBeVisible()
  await expect.poll(loads).toBe(2)
})

test('Today lists tasks due by today, by day and priority, overdue ones apart', async ({ page, user }) => {
  await user.add({ title: 'today, low', dueDate: day(0), priority: 'low' })
  await user.add({ title: 'tomorrow', dueDate: day(1), priority: 'high' })
  await user.add({ title: 'today, high', dueDate: day(0), priority: 'high' })
  const yesterday = await user.add({ title: 'yesterday', dueDate: day(-1), priority: 'low' })
  const lastMonth = await user.add({ title: 'last month', dueDate: day(-31), priority: 'medium' })
  await user.add({ title: 'today, medium', dueDate: day(0), priority: 'medium' })
  await openDashboard(page, 5)
  expect(await titlesOf(page)).toEqual([
    'last month',
    'yesterday',
    'today, high',
    'today, medium',
    'today, low',
  ])
  await expectToasts(page, [])
  const label = page.getByRole('main').getByText('Overdue', { exact: true }).first()
  const top = async (locator: typeof label) => (await locator.boundingBox())?.y ?? Number.NaN
  expect(await top(label)).toBeLessThan(await top(card(page, 'last month')))
  expect(await top(card(page, 'yesterday'))).toBeLessThan(await top(card(page, 'today, high')))
  for (const task of [yesterday, lastMonth]) await user.remove(task)
  await expect(cards(page)).toHaveCount(3)
  await expect(page.getByText('Overdue')).toHaveCount(0)
  await test.step('Of many overdue tasks the three most urgent and newest are shown above those of today, the others unfold, and the status says how many are shown', async () => {
    const ofToday = await titlesOf(page)
    for (let count = 1; count <= 12; count++)
      await user.add({
        title: `late ${count}`,
        dueDate: day(-20 + count),
        priority: count === 2 ? 'high' : 'low',
      })
    for (let count = 0; count < 48; count++) await user.add({ title: `later ${count}`, dueDate: day(-30) })
    await openDashboard(page)
    await test.step('Today’s tasks are in view below more than a page of overdue tasks', () =>
      expect(card(page, 'today, low')).toBeInViewport())
    expect(await titlesOf(page)).toEqual(['late 2', 'late 12', 'late 11', ...ofToday])
    const status = page.getByRole('status').filter({ hasText: /tasks shown$/ })
    await expect(status).toHaveText('6 tasks shown')
    await page.getByRole('button', { name: 'Show 57 more overdue' }).click()
    await expect(cards(page)).toHaveCount(63)
    await expect(status).toHaveText('63 tasks shown')
    await page.getByRole('button', { name: 'Show fewer overdue tasks' }).click()
    await expect(cards(page)).toHaveCount(6)
  })
})

for (const [where, zone] of Object.entries({ west: 'Etc/GMT+12', east: 'Pacific/Kiritimati' })) {
  test.extend({ timezoneId: zone })(
    `today is the reader's own day in the far ${where}, and "tomorrow" in the quick line the day after`,
    async ({ page, user }) => {
      // There are 26 hours between the two, so it is never the same day in both.
      const west = await user.add({ title: 'due in the west', dueDate: day(0, 'Etc/GMT+12') })
      const east = await user.add({ title: 'due in the east', dueDate: day(0, 'Pacific/Kiritimati') })
      await openDashboard(page, west.title)
      await expect(card(page, east.title)).toHaveCount(where === 'west' ? 0 : 1)
      await ring(page, west.title).click()
      const done = page.getByTitle(where === 'west' ? '1 of 1 done today' : '1 of 2 done today')
      await expect(done).toBeVisible()

      await quickLine(page).fill('Buy milk tomorrow')
      await expect(chip(page, 'Due tomorrow')).toBeVisible()
      const sent = requestOf(page, 'POST /changes')
      await page.keyboard.press('Enter')
      await expect(undoBar(page)).toContainText('Added “Buy milk”')
      expect((await sent).postDataJSON().changes).toMatchObject([{ set: { dueDate: day(1, zone) } }])
    },
  )
}

test('A Today list that fails is "Cannot get today tasks" and can be retried', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await keepFailed(page)
  for (const answer of [serverError, 'dropped'] as const) {
    await force(page, 'GET /list/getTodayTasks', answer)
    await openDashboard(page)
    await expectToasts(page, ['error: Cannot get today tasks'])
    await expect(cards(page)).toHaveCount(0)
    await expect(page.getByText('No tasks for today')).toHaveCount(0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(card(page, 'Water the plants')).toBeVisible()
    await expectToasts(page, ['error: Cannot get today tasks'])
  }
})

test('A list that could not be loaded appears when the network is back', async ({ page, context, user }) => {
  await user.add({ title: 'first' })
  await openDashboard(page, 'first')
  await context.setOffline(true)
  await sidebarButton(page, 'Latest').click()
  await expectToasts(page, ['error: Cannot get latest tasks'])
  await expect(page.getByText('Offline: changes are kept on this device')).toBeVisible()
  await user.add({ title: 'second' })
  await context.setOffline(false)
  await expect(card(page, 'second')).toBeVisible()
  await expect(page.getByRole('main').getByText('These tasks could not be loaded.')).toHaveCount(0)
  await user.add({ title: 'third' })
  await expect(card(page, 'third')).toBeVisible()
  await expectToasts(page, ['error: Cannot get latest tasks'])
})

test('A press of the list on show loads it again with the calls of an opening', async ({ page, user }) => {
  await keepFailed(page)
  await force(page, 'GET /list/getTodayTasks', 'dropped')
  await openDashboard(page)
  await expectToasts(page, ['error: Cannot get today tasks'])
  const calls = recordCalls(page)
  await sidebarButton(page, 'Today').click()
  await expectToasts(page, ['error: Cannot get today tasks', 'error: Cannot get today tasks'])
  await page.unrouteAll()
  await user.add({ title: 'Water the plants' })
  await page.keyboard.press('1')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await settle(page, calls)
  const opening = ['GET /list/getTodayTasks', 'GET /user/validate']
  expect(calls.map(({ call }) => call).toSorted()).toEqual([...opening, ...opening].toSorted())
  expect(await page.evaluate(() => history.length)).toBe(2)
})
