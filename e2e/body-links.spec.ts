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
  const links = ['http://example.org/a', 'HTTPS://example.org/b', 'mailto:ada@example.org']
  const texts = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https:x',
    'example.org',
  ]
  await user.add({ title: 'Links', body: [...links, ...texts].join(' ') })
  const address = `https://example.org/${'path/'.repeat(20)}end`
  await user.add({ title: 'Fold', body: `${'word '.repeat(70)}${address}` })
  await openDashboard(page)
  await test.step('Only http, https and mailto addresses are links', async () => {
    const shown = card(page, 'Links').getByRole('link')
    await expect(shown).toHaveText(links)
    expect(await shown.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(links)
  })
  await test.step('An address that the fold of a long body cuts leads to the whole address', async () => {
    const link = card(page, 'Fold').getByRole('link')
    await expect(link).not.toHaveText(address)
    await expect(link).toHaveAttribute('href', address)
  })
})
