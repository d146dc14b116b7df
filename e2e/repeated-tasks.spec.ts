import {
  card,
  cards,
  chip,
  editButton,
  editDialog,
  openDashboard,
  quickLine,
  ring,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'

test('A repeat in a line is said on the card, its completion makes the next one, and one undo takes both back', async ({
  page,
}) => {
  await openDashboard(page)
  await quickLine(page).fill('Vitamins daily')
  await expect(chip(page, /^Due /)).toBeVisible()
  await quickLine(page).press('Enter')
  await expect(card(page, 'Vitamins')).toContainText('Every day')
  await ring(page, 'Vitamins').click()
  await expect(cards(page)).toHaveCount(0)
  await page.keyboard.press('4')
  await expect(card(page, 'Vitamins')).toContainText('Every day')
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(cards(page)).toHaveCount(0)
  await page.keyboard.press('1')
  expect(await titlesOf(page)).toEqual(['Vitamins'])
})

test('The dialog chooses a rule, its interval and its end, shows the next days, and takes the repeat away', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page)
  await editButton(page, 'Water the plants').click()
  const dialog = editDialog(page)
  await dialog.getByLabel('Repeat').selectOption('Every day')
  await dialog.getByRole('spinbutton', { name: /^Every/ }).fill('3')
  await dialog.getByLabel('Ends').selectOption('After a number of times')
  await dialog.getByLabel('Count from completion').check()
  await expect(dialog.getByRole('status').last()).toContainText('Next: ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(card(page, 'Water the plants')).toContainText('Every 3 days after completion, 10 more times')
  await editButton(page, 'Water the plants').click()
  await expect(dialog.getByLabel('Repeat')).toHaveValue('FREQ=DAILY;INTERVAL=3')
  await dialog.getByLabel('Repeat').selectOption('Never')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(card(page, 'Water the plants')).not.toContainText('Every')
})
