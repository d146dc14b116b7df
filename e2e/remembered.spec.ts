import { addDialog, openDashboard, sidebarButton } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { logOut } from './sign-in.ts'

test('The collapsed sidebar and keys turned off are remembered until logout', async ({ page, context }) => {
  await openDashboard(page)
  const other = await context.newPage()
  await openDashboard(other)
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await expect(other.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
  await page.getByRole('button', { name: 'Keys', exact: true }).click()
  await page.getByLabel('Single-key shortcuts').uncheck()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
  await sidebarButton(page, 'Today').focus()
  await page.keyboard.press('n')
  await expect(addDialog(page)).toBeHidden()
  await page.getByRole('button', { name: 'Keys', exact: true }).click()
  await expect(page.getByLabel('Single-key shortcuts')).not.toBeChecked()
  await page.getByLabel('Single-key shortcuts').check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await expect(addDialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await logOut(page)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})
