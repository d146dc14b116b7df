import {
  addDialog,
  calendarDay,
  card,
  cards,
  chip,
  deleteButton,
  editButton,
  editDialog,
  fillTask,
  openDashboard,
  pressOn,
  quickLine,
  ring,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'

test('A repeat is said on its card, and its completion makes the next one', async ({ page }) => {
  await openDashboard(page)
  await quickLine(page).fill('Vitamins daily')
  await expect(chip(page, 'Due today · Every day')).toBeVisible()
  await quickLine(page).press('Enter')
  await expect(card(page, 'Vitamins')).toContainText('Every day')
  await quickLine(page).press('Escape')
  await test.step('Upcoming and the calendar show pale when a task comes again, and count it nowhere', async () => {
    await page.keyboard.press('4')
    const again = page.getByRole('button', { name: /^Vitamins comes again on .*\. Show the task\.$/ })
    await expect(page.locator('.due-day').filter({ has: again })).toHaveCount(7)
    await expect(cards(page)).toHaveCount(0)
    await expect(page.getByText('Nothing is coming up')).toHaveCount(0)
    await expect(page.locator('.due-day .group-count').filter({ hasText: /\d/ })).toHaveCount(0)
    await expect(calendarDay(page, day(1)).getByRole('button')).toHaveAccessibleName(/, a task comes again$/)
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('.coming-tasks:visible')).toHaveCount(0)
    await page.emulateMedia({ media: 'screen' })
    await again.first().click()
    await expect(card(page, 'Vitamins')).toBeFocused()
  })
  await ring(page, 'Vitamins').click()
  await expect(cards(page)).toHaveCount(0)
  await page.keyboard.press('4')
  await expect(cards(page)).toHaveCount(1)
  await expect(card(page, 'Vitamins')).toContainText('Every day')
  await expect(calendarDay(page, day(1)).getByRole('button')).toHaveAccessibleName(/, has tasks$/)
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(cards(page)).toHaveCount(0)
  await page.keyboard.press('1')
  expect(await titlesOf(page)).toEqual(['Vitamins'])
})

test('Both dialogs choose a rule, show the next days, and end the repeat', async ({ page, alerts }) => {
  await openDashboard(page)
  await sidebarButton(page, 'Add Task').click()
  const dialog = addDialog(page)
  await fillTask(dialog, { title: 'Standup', dueDate: '2094-01-04', priority: 'low' })
  await dialog.getByLabel('Repeat').selectOption('Every week on Mon')
  await dialog.getByRole('checkbox', { name: 'Thursday' }).check()
  await expect(dialog.getByLabel('Repeat').locator('option:checked')).toHaveText('Every week on Mon and Thu')
  await expect(dialog.getByText(/^Next: Mon,? 4 Jan.* · Thu,? 7 Jan.* · Mon,? 11 Jan/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Add Task' }).click()
  await expect.poll(() => alerts).toEqual(['Task added successfully!'])
  await expect(dialog).toBeHidden()
  await page.keyboard.press('2')
  await expect(card(page, 'Standup')).toContainText('Every week on Mon and Thu')
  await editButton(page, 'Standup').click()
  const edit = editDialog(page)
  await edit.getByRole('checkbox', { name: 'Monday' }).uncheck()
  await edit.getByRole('checkbox', { name: 'Thursday' }).click()
  await expect(edit.getByRole('checkbox', { name: 'Thursday' })).toBeChecked()
  await expect(
    edit.getByText('A weekly repeat needs at least one day. To end it, choose Never.'),
  ).toBeVisible()
  await edit.getByRole('checkbox', { name: 'Thursday' }).click()
  await expect(edit.getByRole('checkbox', { name: 'Thursday' })).toBeChecked()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(card(page, 'Standup')).toContainText('Every week on Thu')

  await test.step('An interval, an end and the days of completion are chosen, and the repeat is taken away', async () => {
    await expect(edit).toBeHidden()
    await editButton(page, 'Standup').click()
    await edit.getByLabel('Repeat').selectOption('Every day')
    await expect(edit.getByLabel('Repeat')).toHaveValue('FREQ=DAILY')
    await edit.getByRole('spinbutton', { name: /^Every/ }).click()
    // The field is empty meanwhile.
    for (const key of ['ControlOrMeta+a', 'Backspace', '3']) await page.keyboard.press(key)
    await edit.getByLabel('Ends').selectOption('After a number of times')
    await edit.getByLabel('Count from completion').check()
    await expect(edit.getByRole('status').last()).toContainText('Next, if each is done on its day: ')
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(card(page, 'Standup')).toContainText('Every 3 days after completion, 10 more times')
    await editButton(page, 'Standup').click()
    await expect(edit.getByLabel('Repeat')).toHaveValue('FREQ=DAILY;INTERVAL=3')
    await edit.getByLabel('Repeat').selectOption('Never')
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(edit).toBeHidden()
    await expect(card(page, 'Standup')).not.toContainText('Every')
  })
})

test('A repeat is skipped and stopped in Move and the palette, and undone', async ({ page, user }) => {
  await user.add({ title: 'Vitamins', dueDate: day(0), repeat: 'FREQ=DAILY;COUNT=3' })
  await page.goto('/dashboard?list=latest')
  const due = card(page, 'Vitamins').locator('.task-due time')
  await expect(card(page, 'Vitamins')).toContainText('3 more times')
  await pressOn(page, 'Vitamins', 'm')
  await page.getByRole('button', { name: 'Skip this one' }).click()
  await expect(due).toHaveAttribute('datetime', day(1))
  await expect(card(page, 'Vitamins')).toContainText('2 more times')
  await expect(undoBar(page)).toContainText('Skipped “Vitamins” to ')
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(due).toHaveAttribute('datetime', day(0))
  await expect(card(page, 'Vitamins')).toContainText('3 more times')
  await pressOn(page, 'Vitamins', 'm')
  await expect(page.getByRole('button', { name: 'Stop repeating' })).toBeVisible()
  for (const key of ['r', 'Enter']) await page.keyboard.press(key)
  await expect(card(page, 'Vitamins')).not.toContainText('more times')
  await expect(undoBar(page)).toContainText('Stopped repeating “Vitamins”')
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(card(page, 'Vitamins')).toContainText('3 more times')
  await pressOn(page, 'Vitamins', 'ControlOrMeta+k')
  await page.keyboard.type('skip')
  await page.getByRole('option', { name: 'Skip “Vitamins” once' }).click()
  await expect(due).toHaveAttribute('datetime', day(1))
})

test('The bar says that a repeat was the last one, or keeps that of today', async ({ page, user }) => {
  await user.add({ title: 'Vitamins', dueDate: day(-2), repeat: 'FREQ=DAILY' })
  await user.add({ title: 'Pills', dueDate: day(0), repeat: 'FREQ=DAILY;COUNT=1' })
  await page.goto('/dashboard?list=latest')
  const days = () =>
    card(page, 'Vitamins')
      .locator('.task-due time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')))
  await expect(card(page, 'Vitamins')).toContainText('Every day')
  await ring(page, 'Pills').click()
  await expect(undoBar(page)).toContainText('Completed “Pills”. That was the last one')
  await expect(cards(page)).toHaveCount(1)
  await ring(page, 'Vitamins').click()
  await undoBar(page).getByRole('button', { name: 'Also due today: keep it' }).click()
  await expect.poll(days).toEqual([day(0)])
  await expect(undoBar(page).getByRole('button', { name: 'Also due today: keep it' })).toHaveCount(0)
  await deleteButton(page, 'Vitamins').click()
  await undoBar(page).getByRole('button', { name: 'Only this one' }).click()
  await expect.poll(days).toEqual([day(1)])
  await page.goto('/dashboard?list=latest')
  await expect.poll(days).toEqual([day(1)])
})

test('Earlier says which occurrences of a repeat were done, skipped and missed', async ({ page, user }) => {
  const task = await user.add({ title: 'Vitamins', dueDate: day(-4), repeat: 'FREQ=DAILY' })
  await page.goto('/dashboard?list=latest')
  const days = page.getByRole('dialog', { name: 'Earlier' }).getByRole('listitem')
  await page.getByRole('button', { name: 'Earlier: Vitamins' }).click()
  await expect(days).toHaveText([/: missed\.$/, /: missed\.$/, /: missed\.$/])
  // The list is as the task is after its changes on another device.
  await user.change(task, { dueDate: day(-3), repeatDay: day(-3) })
  await expect(days).toHaveText([/: missed\.$/, /: missed\.$/, /: skipped\.$/])
  await page.keyboard.press('Escape')
  await pressOn(page, 'Vitamins', 'm')
  await page.getByRole('button', { name: 'Skip this one' }).click()
  await expect(card(page, 'Vitamins').locator('.task-due time')).toHaveAttribute('datetime', day(-2))
  await ring(page, 'Vitamins').click()
  // The next task can be there before the card of the completed one has gone.
  await expect(card(page, 'Vitamins').locator(`.task-due time[datetime="${day(1)}"]`)).toBeVisible()
  await expect(card(page, 'Vitamins')).toHaveCount(1)
  const expectDays = async () => {
    await page.getByRole('button', { name: 'Earlier: Vitamins' }).click()
    await expect(days).toHaveText([
      ...[/: missed\.$/, /: done on .+ at .+\.$/, /: skipped\.$/, /: skipped\.$/],
    ])
    await page.keyboard.press('Escape')
  }
  await expectDays()
  await page.keyboard.press('5')
  await expectDays()
})
