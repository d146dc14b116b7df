import type { Endpoint } from '#contract/api.ts'
import { force, recordCalls } from './calls.ts'
import { card, openDashboard, priorityButton, sidebarButton } from './dashboard-page.ts'
import { day, noonZone } from './days.ts'
import { expect, expectToasts, signedInTest as test } from './fixtures.ts'

test('Each list has its own call, with the token and the reader’s zone', async ({ page, server, user }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    const isOwn = request.resourceType() !== 'fetch' || pathname.startsWith('/api/v1/')
    if (origin !== server.address || !isOwn) elsewhere.push(request.url())
  })
  for (const priority of ['high', 'medium', 'low'] as const) await user.add({ title: priority, priority })
  const calls = recordCalls(page)
  // The landing page leads to the dashboard.
  await page.goto('/')
  await expect(card(page, 'low')).toBeVisible()
  await sidebarButton(page, 'Latest').click()
  await expect(card(page, 'low')).toBeVisible()
  await sidebarButton(page, 'Priority').click()
  for (const name of ['High', 'Medium', 'Low'] as const) {
    await priorityButton(page, name).click()
    await expect(card(page, name.toLowerCase())).toBeVisible()
  }
  const made = () => [...new Set(calls.map(({ call }) => call))].sort()
  await expect
    .poll(made)
    .toEqual([
      'GET /list/getHighPriorityTasks',
      'GET /list/getLatestTasks',
      'GET /list/getLowPriorityTasks',
      'GET /list/getMediumPriorityTasks',
      'GET /list/getTodayTasks',
      'GET /user/validate',
    ])
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  for (const { headers, body } of calls) {
    expect(headers).toMatchObject({ authorization: `Bearer ${user.token}`, 'time-zone': zone })
    expect(body).toBeNull()
  }
  expect(day(0, zone)).toBe(day(0, noonZone))
  await test.step('All calls go to /api/v1 of the own host', () => expect(elsewhere).toEqual([]))
})

test('Any status from 200 to 299 is a success, and no other one is', async ({ page }) => {
  await test.step('Any status from 200 to 299 is a success for validate', async () => {
    await force(page, 'GET /user/validate', { status: 203, json: { valid: true } })
    await force(page, 'GET /list/getTodayTasks', { status: 299, json: { lists: [task] } })
    await page.goto('/')
    await expect(page).toHaveURL('/dashboard')
  })
  await test.step('Any status from 200 to 299 is a success for a list', async () => {
    await expect(card(page, 'from elsewhere')).toBeVisible()
    await expectToasts(page, [])
  })
  await test.step('A status outside of 200 to 299 is not a success for a list', async () => {
    for (const status of [304, 400, 404, 503])
      await test.step(`Status ${status}`, async () => {
        await page.unrouteAll()
        await force(page, 'GET /list/getTodayTasks' satisfies Endpoint, { status })
        await openDashboard(page)
        await expectToasts(page, ['error: Cannot get today tasks'])
      })
  })
})

const task = {
  _id: '01890a5d-ac96-774b-bcce-b302099a8057',
  title: 'from elsewhere',
  body: '',
  dueDate: day(0),
  priority: 'low',
  createdAt: '2026-01-01T12:00:00.000Z',
}
