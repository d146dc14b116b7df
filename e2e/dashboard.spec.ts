import { boxOf } from './boxes.ts'
import { recordCalls } from './calls.ts'
import {
  card,
  openDashboard,
  openList,
  panelTitle,
  priorityButton,
  sidebar,
  sidebarButton,
  titlesOf,
} from './dashboard-page.ts'
import { day, expect, expectToasts, signedInTest as test } from './fixtures.ts'

const names = ['Add Task', 'Today', 'Latest', 'Priority'] as const

test('The frame has the sidebar, Logout and a calendar, and no profile', async ({ page, user }) => {
  await openDashboard(page)
  await test.step('The sidebar has the buttons Add Task, Today, Latest and Priority, in this order, and a calendar below', async () => {
    const tops: number[] = []
    for (const name of names) tops.push((await sidebarButton(page, name).boundingBox())?.y ?? 0)
    tops.push((await sidebar(page).getByRole('grid').boundingBox())?.y ?? 0)
    expect(tops).toEqual([...tops].sort((a, b) => a - b))
    expect(new Set(tops).size).toBe(5)
  })
  await test.step('The sidebar is on the left', async () => {
    const box = await sidebar(page).boundingBox()
    expect(box?.x).toBe(0)
    expect(box?.width).toBeLessThan(1280 / 3)
  })
  await test.step('The Logout button is at the top right', async () => {
    const box = await page.getByRole('button', { name: 'Logout' }).boundingBox()
    expect(box?.y).toBeLessThan(80)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1280 - 80)
  })
  await test.step('No profile is shown', async () => {
    await expectToasts(page, ['info: No tasks for today'])
    await expect(page.getByText(user.email)).toHaveCount(0)
  })
  await test.step('The calendar shows the current month and marks today', async () => {
    const today = Temporal.PlainDate.from(day(0))
    const calendar = sidebar(page)
    await expect(calendar.getByText(today.toLocaleString('en-GB', { month: 'long' }))).toBeVisible()
    const marked = calendar.locator('[data-today=true]')
    await expect(marked).toHaveText(String(today.day))
  })
  await test.step('Selecting a date in the calendar is local: it filters nothing and calls nothing', async () => {
    await user.add({ title: 'Water the plants' })
    await expect(card(page, 'Water the plants')).toBeVisible()
    const calls = recordCalls(page)
    const dates = sidebar(page).getByRole('gridcell')
    const chosen = dates.filter({ hasText: /^15$/ })
    await chosen.getByRole('button').click()
    await expect(chosen).toHaveAttribute('aria-selected', 'true')
    expect(await titlesOf(page)).toEqual(['Water the plants'])
    expect(calls).toEqual([])
    await expectToasts(page, ['info: No tasks for today'])
  })
  await test.step('The sidebar collapses and expands', async () => {
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect(page.getByRole('grid')).toBeHidden()
    await page.getByRole('button', { name: 'Expand sidebar' }).click()
    await expect(page.getByRole('grid')).toBeVisible()
    await expect(sidebarButton(page, 'Priority')).toBeVisible()
  })
})

test('Each visit opens on Today with the priority High, and the view moves freely', async ({ page }) => {
  await openDashboard(page)
  await test.step('The dashboard opens on Today with High as the priority tab and no modal open', async () => {
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await sidebarButton(page, 'Priority').click()
    await expect(priorityButton(page, 'High')).toHaveAttribute('aria-pressed', 'true')
    await expect(priorityButton(page, 'Medium')).toHaveAttribute('aria-pressed', 'false')
    await expect(priorityButton(page, 'Low')).toHaveAttribute('aria-pressed', 'false')
  })
  await test.step('The view moves freely between Today, Latest and Priority, and the active list button alone is highlighted', async () => {
    const lists = ['Today', 'Latest', 'Priority'] as const
    await openList(page, 'Today')
    for (const active of ['Priority', 'Latest', 'Today', 'Priority', 'Today', 'Latest'] as const) {
      await openList(page, active)
      for (const name of lists) {
        const current = sidebarButton(page, name)
        if (name === active) await expect(current).toHaveAttribute('aria-current', 'true')
        else await expect(current).not.toHaveAttribute('aria-current', 'true')
      }
    }
    await page.mouse.move(1200, 700)
    const background = (name: (typeof lists)[number]) =>
      sidebarButton(page, name).evaluate((button) => getComputedStyle(button).backgroundColor)
    await expect.poll(() => background('Latest')).not.toBe(await background('Today'))
    await expect.poll(async () => (await background('Today')) === (await background('Priority'))).toBe(true)
  })
  await test.step('Of the view, only the collapsed sidebar is remembered beyond the visit', async () => {
    await sidebarButton(page, 'Priority').click()
    await priorityButton(page, 'Low').click()
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await openDashboard(page)
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
    await sidebarButton(page, 'Priority').click()
    await expect(priorityButton(page, 'High')).toHaveAttribute('aria-pressed', 'true')
    // Until when tasks have reminded is no part of the view.
    const stored = () =>
      page.evaluate(() =>
        Object.keys(localStorage)
          .filter((key) => !key.startsWith('reminders '))
          .sort(),
      )
    await expect.poll(stored).toEqual(['settings', 'token'])
  })
})

test('Each further view has a key, an address and a text for no items, and no toast', async ({ page }) => {
  await openDashboard(page)
  await expectToasts(page, ['info: No tasks for today'])
  const more = page.getByRole('navigation', { name: 'More views' }).getByRole('button')
  await expect(more).toHaveText(['Upcoming', 'Someday', 'Done', 'Notes'])
  const deleted = sidebar(page).getByRole('button', { name: 'Recently deleted', exact: true })
  const places = await Promise.all(
    [sidebarButton(page, 'Priority'), ...(await more.all()), deleted].map(boxOf),
  )
  const tops = places.map(({ y }) => y)
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  for (const [key, name, path, text] of [
    ['4', 'Upcoming', '/dashboard?list=upcoming', 'Nothing is coming up'],
    ['5', 'Done', '/dashboard?list=done', 'Nothing is done yet'],
    ['6', 'Notes', '/dashboard/notes', 'No notes yet'],
    ['7', 'Someday', '/dashboard?list=someday', 'Nothing waits for a day'],
    ['0', 'Recently deleted', '/dashboard?list=deleted', 'Nothing was deleted in the last 30 days'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page).toHaveURL(path)
    await expect(panelTitle(page)).toHaveText(name)
    await expect(sidebar(page).locator('[aria-current=true]')).toHaveText(name)
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('4Upcoming')
  await expectToasts(page, ['info: No tasks for today'])
})
