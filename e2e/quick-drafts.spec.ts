import type { Page } from '@playwright/test'
import { card, openDashboard, quickLine, undoBar } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { expectDrafts } from './local-storage.ts'

const offer = (page: Page) => page.getByRole('main').getByText('Unfinished')
const choice = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

test('Text that was typed into the quick line is offered after a reload', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page)
  await quickLine(page).fill('Buy milk p1')
  await openDashboard(page)
  await expect(offer(page)).toContainText('Buy milk p1')
  await expect(quickLine(page)).toHaveValue('')
  await choice(page, 'Restore').click()
  await expect(offer(page)).toHaveCount(0)
  await expect(quickLine(page)).toBeFocused()
  await expect(quickLine(page)).toHaveValue('Buy milk p1')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Buy milk')).toBeVisible()
  await expectDrafts(page, 0)

  await test.step('A double click on Discard discards one line, and meets neither the next one nor a card', async () => {
    for (const line of ['Buy bread', 'Call Ann', 'Call Bob']) {
      await quickLine(page).fill(line)
      await openDashboard(page)
    }
    await quickLine(page).fill('Half a th')
    await choice(page, 'Restore').click()
    await expect(quickLine(page)).toHaveValue('Call Bob')
    for (const line of ['Call Ann', 'Buy bread', 'Half a th']) {
      await expect(offer(page)).toContainText(line)
      await choice(page, 'Discard').dblclick()
    }
    await expect(offer(page)).toHaveCount(0)
    await expectDrafts(page, 1)
    await expect(undoBar(page)).not.toContainText('Deleted')
    await expect(card(page, 'Water the plants')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('Logging out asks before it removes the text of the quick line', async () => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('dialog', { name: 'Log out and discard?' })).toContainText('Call Bob')
  })
})
