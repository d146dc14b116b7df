import type { Page } from '@playwright/test'
import type { Endpoint } from '#contract/api.ts'
import { force, hold, keepFailed, recordCalls, serverError } from './calls.ts'
import {
  card,
  cards,
  openDashboard,
  panelTitle,
  priorityButton,
  sidebarButton,
  titlesOf,
} from './dashboard-page.ts'
import { day } from './days.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { expectToasts } from './toasts.ts'

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
  await sidebarButton(page, 'Priority').click()
  await expect(panelTitle(page)).toHaveText('Mark the urgent')
}

test('The Priority panel is titled "Mark the urgent" and says "No tasks found" when there are none', async ({
  page,
}) => {
  await openPriority(page)
  await expect(page.getByRole('main').getByText('No tasks found', { exact: true })).toBeVisible()
})

test('The Priority panel opens with the High list', async ({ page, user }) => {
  await user.add({ title: 'urgent', priority: 'high', dueDate: day(1) })
  await user.add({ title: 'can wait', priority: 'low', dueDate: day(1) })
  const calls = recordCalls(page)
  await openPriority(page)
  await expect(card(page, 'urgent')).toBeVisible()
  expect(await titlesOf(page)).toEqual(['urgent'])
  const loaded = calls.map(({ call }) => call).filter((call) => call.includes('Priority'))
  expect(loaded).toEqual([list.High])
})

test('The three buttons High, Medium and Low choose the list, and the active one alone is highlighted', async ({
  page,
  user,
}) => {
  for (const tab of tabs) {
    const priority = tab.toLowerCase() as Lowercase<typeof tab>
    await user.add({ title: `${priority} later`, priority, dueDate: day(9) })
    await user.add({ title: `${priority} sooner`, priority, dueDate: day(2) })
  }
  await openPriority(page)
  for (const active of ['Low', 'High', 'Medium', 'Low', 'Medium', 'High'] as const) {
    await priorityButton(page, active).click()
    const priority = active.toLowerCase()
    await expect(card(page, `${priority} sooner`)).toBeVisible()
    // Due soonest first.
    expect(await titlesOf(page)).toEqual([`${priority} sooner`, `${priority} later`])
    for (const tab of tabs) {
      await expect(priorityButton(page, tab)).toHaveAttribute('aria-pressed', String(tab === active))
    }
  }
})

test('A High list that is not empty is announced by "High priority tasks fetched successfully", the others by nothing', async ({
  page,
  user,
}) => {
  for (const priority of ['high', 'medium', 'low'] as const) {
    await user.add({ title: priority, priority, dueDate: day(1) })
  }
  await openPriority(page)
  await expectToasts(page, [noneToday, highFetched])
  await priorityButton(page, 'Medium').click()
  await expect(card(page, 'medium')).toBeVisible()
  await priorityButton(page, 'Low').click()
  await expect(card(page, 'low')).toBeVisible()
  await expectToasts(page, [noneToday, highFetched])
  await priorityButton(page, 'High').click()
  await expectToasts(page, [noneToday, highFetched, highFetched])
})

test('Empty priority lists are announced by their own info toasts', async ({ page }) => {
  await openPriority(page)
  await expectToasts(page, [noneToday, none('high')])
  await priorityButton(page, 'Medium').click()
  await expectToasts(page, [noneToday, none('high'), none('medium')])
  await priorityButton(page, 'Low').click()
  await expectToasts(page, [noneToday, none('high'), none('medium'), none('low')])
  await expect(page.getByRole('main').getByText('No tasks found', { exact: true })).toBeVisible()
})

test('Choosing a priority clears the displayed list, then loads that priority', async ({ page, user }) => {
  await user.add({ title: 'urgent', priority: 'high', dueDate: day(1) })
  await user.add({ title: 'can wait', priority: 'low', dueDate: day(1) })
  await openPriority(page)
  await expect(card(page, 'urgent')).toBeVisible()
  const release = await hold(page, list.Low)
  await priorityButton(page, 'Low').click()
  await expect(cards(page)).toHaveCount(0)
  await expect(page.getByText('No tasks found')).toHaveCount(0)
  release()
  await expect(card(page, 'can wait')).toBeVisible()
})

test('Choosing a priority again clears and loads its list again', async ({ page, user }) => {
  await user.add({ title: 'urgent', priority: 'high', dueDate: day(1) })
  await openPriority(page)
  await expect(card(page, 'urgent')).toBeVisible()
  await expectToasts(page, [noneToday, highFetched])
  await priorityButton(page, 'Medium').click()
  await expectToasts(page, [noneToday, highFetched, none('medium')])
  const release = await hold(page, list.High)
  await priorityButton(page, 'High').click()
  await expect(priorityButton(page, 'High')).toHaveAttribute('aria-pressed', 'true')
  await expect(cards(page)).toHaveCount(0)
  release()
  await expect(card(page, 'urgent')).toBeVisible()
})

test('Choosing the priority that is still being loaded loads its list again', async ({ page, user }) => {
  await user.add({ title: 'urgent', priority: 'high', dueDate: day(1) })
  const release = await hold(page, list.High)
  await openPriority(page)
  await priorityButton(page, 'High').click()
  await expect(panelTitle(page)).toHaveText('Mark the urgent')
  release()
  await expect(card(page, 'urgent')).toBeVisible()
  await expectToasts(page, [noneToday, highFetched])
})

for (const [failure, answer] of [
  ['an error', serverError],
  ['no answer', 'dropped'],
] as const) {
  test(`A list that gets ${failure} while the Priority panel opens is "Cannot get priority tasks"`, async ({
    page,
  }) => {
    await force(page, list.High, answer)
    await openPriority(page)
    await expectToasts(page, [noneToday, 'error: Cannot get priority tasks'])
    await expect(page.getByText('No tasks found')).toHaveCount(0)
  })

  // Every list reads both failures in the same way.
  for (const tab of answer === serverError ? tabs : ['High' as const]) {
    test(`A list that gets ${failure} after pressing ${tab} is "Cannot get ${tab.toLowerCase()} priority tasks"`, async ({
      page,
    }) => {
      const other = tab === 'Low' ? 'Medium' : 'Low'
      await keepFailed(page)
      const before = [noneToday, none('high'), none(other.toLowerCase())]
      await openPriority(page)
      await expectToasts(page, before.slice(0, 2))
      await priorityButton(page, other).click()
      await expectToasts(page, before)
      await force(page, list[tab], answer)
      await priorityButton(page, tab).click()
      await expectToasts(page, [...before, `error: Cannot get ${tab.toLowerCase()} priority tasks`])
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('No tasks found', { exact: true })).toBeVisible()
    })
  }
}
