import type { Page } from '@playwright/test'
import type { Endpoint } from '#contract/api.ts'
import { force, hold, keepFailed, letThrough, recordCalls, serverError } from './calls.ts'
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

const noneToday = 'info: No tasks for today'
const highFetched = 'success: High priority tasks fetched successfully'
const none = (priority: string) => `info: No ${priority} priority tasks found`

const tabs = ['High', 'Medium', 'Low'] as const
const list = {
  High: 'GET /list/getHighPriorityTasks',
  Medium: 'GET /list/getMediumPriorityTasks',
  Low: 'GET /list/getLowPriorityTasks',
} satisfies Record<(typeof tabs)[number], Endpoint>

/** Opens the Priority panel after the toast of the Today panel, which is always first. */
async function openPriority(page: Page) {
  await openDashboard(page)
  await expectToasts(page, [noneToday])
  await openList(page, 'Priority')
}

test('The Priority panel opens with High, and its buttons choose the list', async ({ page, user }) => {
  for (const tab of tabs) {
    const priority = tab.toLowerCase() as Lowercase<typeof tab>
    await user.add({ title: `${priority} later`, priority, dueDate: day(9) })
    await user.add({ title: `${priority} sooner`, priority, dueDate: day(2) })
  }
  const calls = recordCalls(page)
  await openPriority(page)
  await expect(card(page, 'high sooner')).toBeVisible()
  // Due soonest first.
  expect(await titlesOf(page)).toEqual(['high sooner', 'high later'])
  const loaded = calls.map(({ call }) => call).filter((call) => call.includes('Priority'))
  expect(loaded).toEqual([list.High])
  // The High list alone is announced.
  const toasts = [noneToday, highFetched]
  await expectToasts(page, toasts)
  for (const active of ['Medium', 'Low', 'High', 'Medium', 'Low', 'Medium', 'High'] as const) {
    await priorityButton(page, active).click()
    const priority = active.toLowerCase()
    await expect(card(page, `${priority} sooner`)).toBeVisible()
    expect(await titlesOf(page)).toEqual([`${priority} sooner`, `${priority} later`])
    for (const tab of tabs) {
      await expect(priorityButton(page, tab)).toHaveAttribute('aria-pressed', String(tab === active))
    }
    if (active === 'High') toasts.push(highFetched)
    await expectToasts(page, toasts)
  }
  await test.step('Choosing a priority clears the displayed list and loads its own, also if it is chosen again or still being loaded', async () => {
    let release = await hold(page, list.High)
    await openPriority(page)
    await priorityButton(page, 'High').click()
    await expect(panelTitle(page)).toHaveText('Mark the urgent')
    release()
    await expect(card(page, 'high sooner')).toBeVisible()
    await expectToasts(page, [noneToday, highFetched])

    release = await hold(page, list.Low)
    await priorityButton(page, 'Low').click()
    await expect(cards(page)).toHaveCount(0)
    await expect(page.getByText('No tasks found')).toHaveCount(0)
    release()
    await expect(card(page, 'low sooner')).toBeVisible()

    release = await hold(page, list.High)
    await priorityButton(page, 'High').click()
    await expect(priorityButton(page, 'High')).toHaveAttribute('aria-pressed', 'true')
    await expect(cards(page)).toHaveCount(0)
    release()
    await expect(card(page, 'high sooner')).toBeVisible()
  })
})

test('The Priority panel announces each empty list and each that fails', async ({ page }) => {
  // A list would be shown from the store as soon as that is complete.
  await page.route(/\/changes(\?|$)/, (route) => route.fulfill({ status: 404 }))
  const text = page.getByRole('main').getByText('No tasks found', { exact: true })
  const toasts = [noneToday]
  await keepFailed(page)
  await openDashboard(page)
  await expectToasts(page, toasts)
  await test.step('A list that gets an error or no answer while the Priority panel opens is "Cannot get priority tasks"', async () => {
    for (const answer of [serverError, 'dropped'] as const) {
      await force(page, list.High, answer)
      await sidebarButton(page, 'Priority').click()
      toasts.push('error: Cannot get priority tasks')
      await expectToasts(page, toasts)
      await expect(page.getByText('No tasks found')).toHaveCount(0)
      // The other panel first, so that the page does not try this list again.
      await sidebarButton(page, 'Today').click()
      toasts.push(noneToday)
      await expectToasts(page, toasts)
      await letThrough(page)
    }
  })
  await test.step('The empty Priority panel is titled "Mark the urgent", says "No tasks found" and announces each list by its own info toast', async () => {
    await openList(page, 'Priority')
    toasts.push(none('high'))
    await expectToasts(page, toasts)
    await expect(text).toBeVisible()
    for (const tab of ['Medium', 'Low'] as const) {
      await priorityButton(page, tab).click()
      toasts.push(none(tab.toLowerCase()))
      await expectToasts(page, toasts)
    }
    await expect(text).toBeVisible()
  })
  await test.step('A list that gets an error or no answer after its button was pressed is announced with its priority, and can be tried again', async () => {
    const retry = page.getByRole('button', { name: 'Try again' })
    // Every list reads both failures in the same way.
    for (const [tab, other, answer] of [
      ['High', 'Low', serverError],
      ['Medium', 'Low', serverError],
      ['Low', 'Medium', serverError],
      ['High', 'Low', 'dropped'],
    ] as const) {
      await priorityButton(page, other).click()
      toasts.push(none(other.toLowerCase()))
      await expectToasts(page, toasts)
      await force(page, list[tab], answer)
      await priorityButton(page, tab).click()
      toasts.push(`error: Cannot get ${tab.toLowerCase()} priority tasks`)
      await expectToasts(page, toasts)
      await expect(text).toHaveCount(0)
      await letThrough(page)
      await retry.click()
      toasts.push(none(tab.toLowerCase()))
      await expectToasts(page, toasts)
      await expect(retry).toHaveCount(0)
      await expect(text).toBeVisible()
    }
  })
})
