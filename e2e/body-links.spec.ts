import { card, openDashboard } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'

test('An address in a body is a link that opens beside the dashboard', async ({ page, user, server }) => {
  await user.add({ title: 'Read', body: `See (${server.address}/about), then write.` })
  await openDashboard(page)
  const link = card(page, 'Read').getByRole('link')
  await expect(link).toHaveText(`${server.address}/about`)
  const opened = page.waitForEvent('popup')
  await link.click()
  const other = await opened
  await expect(other).toHaveURL('/about')
  expect(await other.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  await expect(page).toHaveURL('/dashboard')
})
