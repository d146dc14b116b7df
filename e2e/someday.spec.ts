import { recordCalls, settle } from './calls.ts'
import {
  calendarDay,
  card,
  cards,
  editButton,
  editDialog,
  openDashboard,
  panelTitle,
  quickLine,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day } from './days.ts'
import { expect, signedInTest as test } from './fixtures.ts'

test('A task of the line in Someday has no date, Move takes it to a day by one key, and back', async ({
  page,
}) => {
  await openDashboard(page)
  await page.keyboard.press('7')
  await expect(panelTitle(page)).toHaveText('Someday')
  await quickLine(page).fill('Learn to sail')
  await quickLine(page).press('Enter')
  await expect(card(page, 'Learn to sail')).not.toContainText('Due')
  await expect(undoBar(page)).toContainText('Added “Learn to sail” for someday')
  await sidebarButton(page, 'Today').click()
  await expect(cards(page)).toHaveCount(0)
  await sidebarButton(page, 'Latest').click()
  await card(page, 'Learn to sail').focus()
  await page.keyboard.press('m')
  await page.keyboard.press('t')
  await expect(card(page, 'Learn to sail')).toContainText('Due')
  await expect(calendarDay(page, day(0))).toHaveAccessibleName(/has tasks/)
  await card(page, 'Learn to sail').focus()
  await page.keyboard.press('m')
  await page.getByLabel('Another day').fill(day(2))
  await page.getByRole('dialog', { name: 'Move' }).getByLabel('Time', { exact: true }).fill('09:05')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Learn to sail')).toContainText(', 09:05')
  await card(page, 'Learn to sail').focus()
  await page.keyboard.press('m')
  await page.keyboard.press('s')
  await expect(undoBar(page)).toContainText('Moved “Learn to sail” to someday')
  await expect(card(page, 'Learn to sail')).not.toContainText('Due')
})

test('The dialog takes the date away and gives a time, which the card shows and by which the day is sorted', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  await user.add({ title: 'Dinner' })
  await openDashboard(page)
  const calls = recordCalls(page)
  await editButton(page, 'Water the plants').click()
  await editDialog(page).getByLabel('Time', { exact: true }).fill('23:30')
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(editDialog(page)).toBeHidden()
  await settle(page, calls)
  expect(calls[0]?.body).toMatchObject({ dueTime: '23:30' })
  await expect(card(page, 'Water the plants')).toContainText(', 23:30')
  expect(await titlesOf(page)).toEqual(['Water the plants', 'Dinner'])
  await expect(page.getByText('Next at 23:30: Water the plants')).toBeVisible()
  await editButton(page, 'Water the plants').click()
  await editDialog(page).getByLabel('No date').check()
  await expect(editDialog(page).getByLabel('Due Date', { exact: true })).toBeDisabled()
  await expect(editDialog(page).getByLabel('Time', { exact: true })).toBeDisabled()
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(cards(page)).toHaveCount(1)
  await page.keyboard.press('7')
  await editButton(page, 'Water the plants').click()
  await expect(editDialog(page).getByLabel('No date')).toBeChecked()
  await editDialog(page).getByRole('button', { name: 'Due tomorrow' }).click()
  await expect(editDialog(page).getByLabel('No date')).not.toBeChecked()
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(cards(page)).toHaveCount(0)
})
