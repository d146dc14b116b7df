import type { Page } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import {
  calendarDay,
  card,
  cards,
  deleteButton,
  moveButton,
  openDashboard,
  ring,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'

const dayButton = (page: Page, offset: number) => calendarDay(page, day(offset)).getByRole('button')
const hasTasks = /, has tasks/

/** The calls of the API so far, without the stream, in order. */
function recordAll(page: Page) {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith(apiBase)) paths.push(pathname.slice(apiBase.length))
  })
  return paths
}

test('Days with open tasks of all lists say so, after the calls of the panel', async ({ page, user }) => {
  await user.add({ title: 'today' })
  await user.add({ title: 'tomorrow', dueDate: day(1) })
  const farAway = Temporal.PlainDate.from(day(0)).add({ months: 2 }).with({ day: 15 }).toString()
  await user.add({ title: 'far away', dueDate: farAway })
  const paths = recordAll(page)
  await openDashboard(page)
  await expect(dayButton(page, 0)).toHaveAccessibleName(hasTasks)
  await expect(dayButton(page, 1)).toHaveAccessibleName(hasTasks)
  await expect(dayButton(page, 2)).not.toHaveAccessibleName(hasTasks)
  const asked = paths.indexOf('/changes')
  for (const path of ['/user/validate', '/list/getTodayTasks']) {
    expect(paths.indexOf(path)).toBeGreaterThanOrEqual(0)
    expect(paths.indexOf(path)).toBeLessThan(asked)
  }
  await test.step('Another month shows its own days', async () => {
    await page.getByRole('button', { name: 'Go to the Next Month' }).click()
    await page.getByRole('button', { name: 'Go to the Next Month' }).click()
    await expect(calendarDay(page, farAway).getByRole('button')).toHaveAccessibleName(hasTasks)
    await page.keyboard.press('2')
    await expect(card(page, 'far away')).toBeVisible()
  })
})

test('The dots follow the changes of this tab and of other devices', async ({ page, user }) => {
  for (const title of ['first', 'second']) await user.add({ title })
  await openDashboard(page)
  await moveButton(page, 'first').click()
  await page.getByRole('button', { name: 'Move to tomorrow' }).click()
  await expect(dayButton(page, 1)).toHaveAccessibleName(hasTasks)
  await expect(dayButton(page, 0)).toHaveAccessibleName(hasTasks)
  await ring(page, 'second').click()
  await expect(cards(page)).toHaveCount(0)
  await expect(dayButton(page, 0)).not.toHaveAccessibleName(hasTasks)
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(dayButton(page, 0)).toHaveAccessibleName(hasTasks)
  await deleteButton(page, 'second').click()
  await expect(dayButton(page, 0)).not.toHaveAccessibleName(hasTasks)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(dayButton(page, 0)).toHaveAccessibleName(hasTasks)
  await test.step('The dots follow the changes of other devices', async () => {
    await expect(dayButton(page, 3)).not.toHaveAccessibleName(hasTasks)
    const task = await user.add({ title: 'from elsewhere', dueDate: day(3) })
    await expect(dayButton(page, 3)).toHaveAccessibleName(hasTasks)
    await user.remove(task)
    await expect(dayButton(page, 3)).not.toHaveAccessibleName(hasTasks)
  })
  await test.step('A visit that begins with the notes has the days and the settings too', async () => {
    const settings = page.waitForResponse((response) => response.url().endsWith(`${apiBase}/settings`))
    await page.goto('/dashboard/notes')
    await settings
    await expect(dayButton(page, 0)).toHaveAccessibleName(hasTasks)
  })
})
