import { recordCalls, writesOf } from './calls.ts'
import {
  card,
  cards,
  deleteButton,
  openDashboard,
  panelTitle,
  ring,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, expectToasts, signedInTest as test } from './fixtures.ts'

test('Done shows completed tasks by day, and an unticked one is back in its list', async ({ page, user }) => {
  for (const title of ['first', 'second', 'third']) await user.add({ title, dueDate: day(-2) })
  await openDashboard(page)
  for (const [title, left] of Object.entries({ second: 2, first: 1 })) {
    await ring(page, title).click()
    await expect(cards(page)).toHaveCount(left)
  }
  await page.keyboard.press('5')
  const today = page.getByRole('region', { name: 'Today', exact: true })
  await expect(today.getByRole('article')).toHaveCount(2)
  expect(await titlesOf(page)).toEqual(['first', 'second'])
  await expect(ring(page, 'first')).toBeChecked()
  await expect(card(page, 'first')).not.toContainText('late')
  const calls = recordCalls(page)
  await test.step('A task that is unticked in Done is back in its list, and can be completed again by Undo', async () => {
    await ring(page, 'first').click()
    await expect(cards(page)).toHaveCount(1)
    await expect.poll(() => writesOf(calls)).toEqual(['POST /changes'])
    await expect(undoBar(page)).toContainText('Reopened “first”')
    await sidebarButton(page, 'Today').click()
    await expect(ring(page, 'first')).not.toBeChecked()
    await page.keyboard.press('ControlOrMeta+z')
    await expect(card(page, 'first')).toHaveCount(0)
    await page.keyboard.press('5')
    await expect(ring(page, 'first')).toBeChecked()
  })
})

test('A task is deleted from Done, where one of another tab is shown', async ({ page, context, user }) => {
  for (const title of ['Water the plants', 'Feed the cat']) await user.add({ title })
  await openDashboard(page, 2)
  await page.keyboard.press('5')
  await expect(panelTitle(page)).toHaveText('Done')
  const other = await context.newPage()
  await openDashboard(other)
  await ring(other, 'Water the plants').click()
  await expect(ring(page, 'Water the plants')).toBeChecked()
  await expectToasts(page, [])
  await deleteButton(page, 'Water the plants').click()
  await expect(cards(page)).toHaveCount(0)
  await expectToasts(page, ['success: Task deleted successfully'])
})
