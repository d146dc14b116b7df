import type { Page } from '@playwright/test'
import { answerTo, force, hold, keepFailed, serverError } from './calls.ts'
import { card, cards, openDashboard, quickLine, undoBar } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'

const offer = (page: Page) => page.getByRole('main').getByText('Unfinished')
const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const storedDrafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft ')).length)

test('Text that was typed into the quick line is offered after a reload, never filled in, and gone once it is added', async ({
  page,
}) => {
  await openDashboard(page)
  await quickLine(page).fill('Buy milk p1')
  await openDashboard(page)
  await expect(offer(page)).toContainText('Buy milk p1')
  await expect(quickLine(page)).toHaveValue('')
  await press(page, 'Restore')
  await expect(offer(page)).toHaveCount(0)
  await expect(quickLine(page)).toBeFocused()
  await expect(quickLine(page)).toHaveValue('Buy milk p1')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Buy milk')).toBeVisible()
  await expect.poll(() => storedDrafts(page)).toBe(0)
})

test('Lines that were entered and not added survive a reload, each by itself, and two with the same text are two tasks', async ({
  page,
}) => {
  await openDashboard(page)
  await force(page, 'POST /changes', serverError)
  const release = await hold(page, 'POST /changes')
  for (const line of ['Buy milk', 'Call Ann']) {
    await quickLine(page).fill(line)
    await page.keyboard.press('Enter')
  }
  await quickLine(page).fill('Half a th')
  release()
  await expect(page.getByRole('alert')).toHaveCount(2)
  await page.unrouteAll()
  await openDashboard(page)
  await expect(offer(page)).toContainText('Half a th')
  await press(page, 'Add again: Buy milk')
  await expect(card(page, 'Buy milk')).toBeVisible()
  await press(page, 'Edit: Call Ann')
  await page.keyboard.press('Enter')
  await expect(cards(page)).toHaveCount(2)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect.poll(() => storedDrafts(page)).toBe(1)

  for (let times = 0; times < 2; times++) {
    await quickLine(page).fill('Feed the cat')
    await page.keyboard.press('Enter')
  }
  await expect(cards(page)).toHaveCount(4)
})

test('A line whose answer was lost is not added twice, not even when it is sent again after a reload', async ({
  page,
}) => {
  await keepFailed(page)
  await openDashboard(page)
  await force(page, 'POST /changes', 'lost')
  const lost = page.waitForEvent('requestfailed')
  // The page tries again after the reload at the latest, and earlier if another call was answered.
  const answered = answerTo(page, 'POST /changes')
  await quickLine(page).fill('Buy milk')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Buy milk')).toBeVisible()
  await lost
  await page.unrouteAll({ behavior: 'wait' })
  await openDashboard(page)
  await answered
  await openDashboard(page)
  await expect(cards(page)).toHaveCount(1)
})

test('An emptied or discarded line leaves nothing behind, restoring exchanges it with the text in the line, and logging out asks first', async ({
  page,
}) => {
  await openDashboard(page)
  await quickLine(page).fill('Buy milk')
  await quickLine(page).fill('')
  expect(await storedDrafts(page)).toBe(0)
  await quickLine(page).fill('Buy milk')
  await openDashboard(page)
  await quickLine(page).fill('Call Ann')
  await press(page, 'Restore')
  await expect(quickLine(page)).toHaveValue('Buy milk')
  await expect(offer(page)).toContainText('Call Ann')
  await press(page, 'Discard')
  await quickLine(page).fill('')
  expect(await storedDrafts(page)).toBe(0)

  await test.step('Logging out asks before it removes the text of the quick line', async () => {
    await quickLine(page).fill('Call Bob')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('dialog', { name: 'Log out and discard?' })).toContainText('Call Bob')
  })
})

test('A double click on Discard discards one line, and meets neither the next one nor a card', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page)
  for (const line of ['Buy milk', 'Call Ann']) {
    await quickLine(page).fill(line)
    await openDashboard(page)
  }
  const discard = page.getByRole('main').getByRole('button', { name: 'Discard', exact: true })
  await discard.dblclick()
  await expect(offer(page)).toContainText('Buy milk')
  await discard.dblclick()
  await expect(offer(page)).toHaveCount(0)
  expect(await storedDrafts(page)).toBe(0)
  await expect(undoBar(page)).not.toContainText('Deleted')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
