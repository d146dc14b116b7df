import { answerTo, force, recordCalls, settle } from './calls.ts'
import {
  addDialog,
  calendarDay,
  card,
  cards,
  dragTo,
  editButton,
  editDialog,
  enterLine,
  fillTask,
  openDashboard,
  panelTitle,
  pressOn,
  sidebar,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'

test('A task of the line in Someday has no date, and Move gives and takes one by a key', async ({ page }) => {
  await page.goto('/dashboard?list=someday')
  await expect(panelTitle(page)).toHaveText('Someday')
  await enterLine(page, 'Learn to sail')
  await expect(card(page, 'Learn to sail')).not.toContainText('Due')
  await expect(undoBar(page)).toContainText('Added “Learn to sail” for someday')
  await sidebarButton(page, 'Today').click()
  await expect(cards(page)).toHaveCount(0)
  await sidebarButton(page, 'Latest').click()
  await pressOn(page, 'Learn to sail', 'm', 't', 'Enter')
  await expect(card(page, 'Learn to sail')).toContainText('Due')
  await expect(calendarDay(page, day(0))).toHaveAccessibleName(/has tasks/)
  await pressOn(page, 'Learn to sail', 'm')
  await page.getByLabel('Another day').fill(day(2))
  await page.getByRole('dialog', { name: 'Move' }).getByLabel('Time', { exact: true }).fill('09:05')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Learn to sail')).toContainText(', 09:05')
  await pressOn(page, 'Learn to sail', 'm', 's', 'Enter')
  await expect(undoBar(page)).toContainText('Moved “Learn to sail” to someday')
  await expect(card(page, 'Learn to sail')).not.toContainText('Due')
})

test('The dialog takes the date away and gives a time, which sorts the day', async ({ page, user }) => {
  for (const title of ['Water the plants', 'Dinner']) await user.add({ title })
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

test('A draft without a date is restored without one, or with that of a button', async ({ page }) => {
  const reopen = async () => {
    await openDashboard(page)
    await sidebarButton(page, 'Add Task').click()
    await addDialog(page).getByRole('button', { name: 'Restore', exact: true }).click()
  }
  await openDashboard(page)
  await sidebarButton(page, 'Add Task').click()
  await fillTask(addDialog(page), { title: 'Learn to sail', dueDate: day(0) })
  await addDialog(page).getByLabel('No date').check()
  await reopen()
  await expect(addDialog(page).getByLabel('No date')).toBeChecked()
  await addDialog(page).getByRole('button', { name: 'Due tomorrow' }).click()
  await reopen()
  await expect(addDialog(page).getByLabel('No date')).not.toBeChecked()
  await expect(addDialog(page).getByLabel('Due Date', { exact: true })).toHaveValue(day(1))
  await test.step('The dialog begins without a date in Someday, and with one in another view', async () => {
    await page.goto('/dashboard?list=someday')
    const isUndated = addDialog(page).getByRole('checkbox', { name: 'No date' })
    await sidebarButton(page, 'Add Task').click()
    await expect(isUndated).toBeChecked()
    await isUndated.uncheck()
    await page.keyboard.press('Escape')
    await sidebarButton(page, 'Latest').click()
    await sidebarButton(page, 'Add Task').click()
    await expect(isUndated).not.toBeChecked()
  })
})

test('If a date clashes with none, the used one has the focus on its control', async ({ page, user }) => {
  const task = await user.add({ title: 'Paint' })
  await force(page, 'GET /changes/stream', { status: 404 })
  const filled = answerTo(page, 'GET /changes')
  await openDashboard(page)
  await filled
  await editButton(page, 'Paint').click()
  const noDate = editDialog(page).getByLabel('No date')
  const dueDate = editDialog(page).getByLabel('Due Date', { exact: true })
  const save = editDialog(page).getByRole('button', { name: 'Save' })
  const other = editDialog(page).getByRole('button', { name: 'Use the other (due date)' })
  const moved = await user.edit(task, { dueDate: day(2) })
  await noDate.check()
  await save.click()
  await other.click()
  await expect(dueDate).toBeFocused()
  await expect(dueDate).toHaveValue(day(2))
  await user.edit(moved, { dueDate: null })
  await dueDate.fill(day(3))
  await save.click()
  await other.click()
  await expect(noDate).toBeFocused()
  await expect(noDate).toBeChecked()
  await save.click()
  await expect(editDialog(page)).toBeHidden()
  await expect(cards(page)).toHaveCount(0)
})

test('Tasks without a date are dragged to a day, moved together and printed', async ({ page, user }) => {
  for (const title of ['Paint', 'Sail', 'Read']) await user.add({ title, dueDate: null })
  await page.goto('/dashboard?list=someday')
  await expect(cards(page)).toHaveCount(3)
  await expect(calendarDay(page, day(0))).toBeVisible()
  const dots = sidebar(page).getByRole('button', { name: /has tasks/ })
  await expect(dots).toHaveCount(0)
  await dragTo(page, card(page, 'Sail').getByText('LOW'), day(1))
  await expect(cards(page)).toHaveCount(2)
  await expect(dots).toHaveCount(1)
  await expect(calendarDay(page, day(1)).getByRole('button')).toHaveAccessibleName(/has tasks/)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(3)
  await expect(dots).toHaveCount(0)
  expect(await titlesOf(page)).toEqual(['Read', 'Sail', 'Paint'])

  await pressOn(page, 'Read', 'Shift+ArrowDown', 'm')
  await expect(page.getByRole('dialog', { name: 'Move' })).toContainText('2 tasks')
  for (const key of ['w', 'Enter']) await page.keyboard.press(key)
  await expect(undoBar(page)).toContainText('Moved 2 tasks')
  await expect(cards(page)).toHaveCount(1)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(3)

  await page.emulateMedia({ media: 'print' })
  for (const title of ['Read', 'Sail', 'Paint']) await expect(card(page, title)).toBeVisible()
  await expect(card(page, 'Read')).not.toContainText('Due')
})
