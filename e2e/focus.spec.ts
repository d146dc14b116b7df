import {
  addDialog,
  card,
  cards,
  deleteButton,
  editButton,
  editDialog,
  openDashboard,
  panelTitle,
  ring,
  sidebarButton,
} from './dashboard-page.ts'
import { expect, signedInTest as test, test as visitorTest } from './fixtures.ts'
import { storeToken } from './local-storage.ts'

test('The focus stays inside an open dialog, and then returns to the opener', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page)
  for (const [opener, dialog] of [
    [sidebarButton(page, 'Add Task'), addDialog(page)],
    [editButton(page, 'Water the plants'), editDialog(page)],
  ] as const) {
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    for (let stops = 0; stops < 12; stops++) {
      await page.keyboard.press('Tab')
      const outside = await page.evaluate(() => {
        const active = document.activeElement
        return active !== document.body && active?.closest('dialog') === null
      })
      expect(outside).toBe(false)
    }
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  }
})

visitorTest('Each page begins with a skip link, and every stop is seen', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  for (const path of ['/about', '/', '/dashboard']) {
    // With a token the landing page would lead to the dashboard.
    if (path === '/dashboard') await storeToken(page, user.token)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (path === '/dashboard') await expect(card(page, 'Water the plants')).toBeVisible()
    const skip = page.getByRole('link', { name: 'Skip to content' })
    const invisible: string[] = []
    for (let stops = 0; stops < 20; stops++) {
      await page.keyboard.press('Tab')
      if (stops === 0) {
        await expect(skip).toBeFocused()
        await expect(skip).toBeInViewport({ ratio: 1 })
      }
      const name = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        if (element === document.body) return
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        const isVisible = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
        return isVisible ? undefined : element.outerHTML.slice(0, 80)
      })
      if (name) invisible.push(name)
    }
    expect(invisible, path).toEqual([])
    await skip.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  }
})

test('After a click on a ring the focus is on the title, and keys act on no card', async ({ page, user }) => {
  for (const title of ['third', 'second', 'first']) await user.add({ title })
  await openDashboard(page, 3)
  await ring(page, 'second').click()
  await expect(card(page, 'second')).toHaveCount(0)
  await expect(panelTitle(page)).toBeFocused()
  await page.keyboard.press('Delete')
  await page.keyboard.press('ArrowDown')
  await expect(cards(page).first()).toBeFocused()
  await expect(cards(page)).toHaveCount(2)
  await test.step('After a delete by keyboard the focus is on the next card, not on its Delete button, and on the title after the last', async () => {
    await deleteButton(page, 'first').focus()
    await page.keyboard.press('Enter')
    await expect(card(page, 'third')).toBeFocused()
    await deleteButton(page, 'third').focus()
    await page.keyboard.press('Enter')
    await expect(panelTitle(page)).toBeFocused()
  })
})
