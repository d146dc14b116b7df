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
import { expect, signedInTest as test } from './fixtures.ts'

for (const path of ['/', '/about', '/dashboard']) {
  test(`The first stop on ${path} is a link past the navigation`, async ({ page }) => {
    // With a valid token the public pages would redirect.
    if (path !== '/dashboard') await page.addInitScript(() => localStorage.clear())
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })
}

test('Closing a dialog returns the focus to its opener', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page)
  for (const [opener, dialog] of [
    [sidebarButton(page, 'Add Task'), addDialog(page)],
    [editButton(page, 'Water the plants'), editDialog(page)],
  ] as const) {
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  }
})

test('After a delete by keyboard the focus is on the next card, not on its Delete button, and on the title after the last', async ({
  page,
  user,
}) => {
  await user.add({ title: 'first' })
  await user.add({ title: 'second' })
  await openDashboard(page)
  await deleteButton(page, 'first').focus()
  await page.keyboard.press('Enter')
  await expect(card(page, 'second')).toBeFocused()
  await deleteButton(page, 'second').focus()
  await page.keyboard.press('Enter')
  await expect(panelTitle(page)).toBeFocused()
})

test('The focus stays inside an open dialog', async ({ page }) => {
  await openDashboard(page)
  await sidebarButton(page, 'Add Task').click()
  await expect(addDialog(page)).toBeVisible()
  for (let stops = 0; stops < 12; stops++) {
    await page.keyboard.press('Tab')
    const outside = await page.evaluate(() => {
      const active = document.activeElement
      return active !== document.body && active?.closest('dialog') === null
    })
    expect(outside).toBe(false)
  }
})

for (const path of ['/', '/about', '/dashboard']) {
  test(`Every focused element on ${path} has a visible focus indicator`, async ({ page, user }) => {
    if (path === '/dashboard') await user.add({ title: 'Water the plants' })
    else await page.addInitScript(() => localStorage.clear())
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (path === '/dashboard') await expect(card(page, 'Water the plants')).toBeVisible()
    const invisible: string[] = []
    for (let stops = 0; stops < 20; stops++) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        if (element === document.body) return
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        const isVisible = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
        return isVisible ? undefined : element.outerHTML.slice(0, 80)
      })
      if (name) invisible.push(name)
    }
    expect(invisible).toEqual([])
  })
}

test('After a click on a ring the focus is on the title, keys act on no card, and the arrows go to the first one', async ({
  page,
  user,
}) => {
  for (const title of ['third', 'second', 'first']) await user.add({ title })
  await openDashboard(page)
  await expect(cards(page)).toHaveCount(3)
  await ring(page, 'second').click()
  await expect(card(page, 'second')).toHaveCount(0)
  await expect(panelTitle(page)).toBeFocused()
  await page.keyboard.press('Delete')
  await page.keyboard.press('ArrowDown')
  await expect(cards(page).first()).toBeFocused()
  await expect(cards(page)).toHaveCount(2)
})
