import { force, hold, recordCalls, serverError, settle } from './calls.ts'
import {
  card,
  cards,
  openDashboard,
  openList,
  panelTitle,
  priorityButton,
  sidebarButton,
  titlesOf,
} from './dashboard-page.ts'
import { day, expect, expectToasts, signedInTest as test } from './fixtures.ts'

test('A late answer never shows in the panel or under the priority that followed', async ({ page, user }) => {
  await user.add({ title: 'due today', priority: 'medium' })
  await user.add({ title: 'urgent', priority: 'high', dueDate: day(3) })
  await user.add({ title: 'can wait', priority: 'low', dueDate: day(3) })
  const calls = recordCalls(page)
  await test.step('The tasks of a panel that was left before its answer never show in the next panel', async () => {
    const release = await hold(page, 'GET /list/getTodayTasks')
    await openDashboard(page)
    await sidebarButton(page, 'Priority').click()
    await expect(card(page, 'urgent')).toBeVisible()
    release()
    await settle(page, calls)
    expect(await titlesOf(page)).toEqual(['urgent'])
    await expectToasts(page, ['success: High priority tasks fetched successfully'])
  })
  await test.step('A late answer of one priority never shows under another', async () => {
    const release = await hold(page, 'GET /list/getHighPriorityTasks')
    await openDashboard(page)
    await sidebarButton(page, 'Priority').click()
    await priorityButton(page, 'Low').click()
    await expect(card(page, 'can wait')).toBeVisible()
    release()
    await settle(page, calls)
    expect(await titlesOf(page)).toEqual(['can wait'])
    await expectToasts(page, [])
  })
})

test('A late answer shows no toast and no error in the panel that followed', async ({ page, user }) => {
  await user.add({ title: 'due later', dueDate: day(3) })
  for (const [what, answer] of [
    ['is empty', { status: 200, json: { lists: [] } }],
    ['fails', serverError],
    ['is dropped', 'dropped'],
  ] as const)
    await test.step(`A late answer that ${what}`, async () => {
      await force(page, 'GET /list/getTodayTasks', answer)
      const release = await hold(page, 'GET /list/getTodayTasks')
      const calls = recordCalls(page)
      await openDashboard(page)
      await sidebarButton(page, 'Latest').click()
      await expect(card(page, 'due later')).toBeVisible()
      release()
      await settle(page, calls)
      await expect(panelTitle(page)).toHaveText('Recent')
      await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
      await expectToasts(page, [])
      await page.unrouteAll()
    })
})

test('Loading shows a skeleton after 200 ms, never a flash', async ({ page }) => {
  const skeleton = page.getByRole('status', { name: 'Loading tasks' })
  await page.clock.install({ time: '2030-01-01T12:00:00Z' })
  await force(page, 'GET /changes', { status: 404 })
  const release = await hold(page, 'GET /list/getLatestTasks')
  await openDashboard(page)
  await expectToasts(page, ['info: No tasks for today'])
  await page.clock.pauseAt('2030-01-01T13:00:00Z')
  await openList(page, 'Latest')
  await page.clock.runFor(199)
  await expect(skeleton).toHaveCount(0)
  // The page can have begun to count later than the test.
  await expect(async () => {
    await page.clock.runFor(2)
    await expect(skeleton).toBeVisible({ timeout: 100 })
  }).toPass({ intervals: [20] })
  await page.clock.resume()
  release()
  await expect(page.getByText('No tasks found')).toBeVisible()
  await expect(skeleton).toHaveCount(0)
})

test('A call has no timeout', async ({ page, user }) => {
  await user.add({ title: 'worth waiting for' })
  await page.clock.install()
  const release = await hold(page, 'GET /list/getTodayTasks')
  await openDashboard(page)
  await expect(panelTitle(page)).toBeVisible()
  await page.clock.fastForward('01:00:00')
  await expect(cards(page)).toHaveCount(0)
  await expectToasts(page, [])
  release()
  await expect(card(page, 'worth waiting for')).toBeVisible()
})
