import type { Locator, Page } from '@playwright/test'
import { bottomOf, boxOf } from './boxes.ts'
import {
  card,
  cards,
  deleteButton,
  editButton,
  openDashboard,
  panelTitle,
  quickLine,
  ring,
  undoBar,
  unsentLine,
} from './dashboard-page.ts'
import { day, expect } from './fixtures.ts'
import { field, notePath, notesTest as test } from './notes-page.ts'

test.use({ hasTouch: true, isMobile: true, viewport: { width: 380, height: 760 } })

const bar = (page: Page) => page.getByRole('navigation', { name: 'Bottom bar' })
const button = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })

test('The bar at the bottom shows three views and leads to the quick line', async ({ page }) => {
  await openDashboard(page)
  await button(page, 'New task').tap()
  await expect(quickLine(page)).toBeFocused()
  await page.keyboard.type('Water the plants')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await page.keyboard.press('Escape')
  for (const [name, title] of [
    ['Show Upcoming', 'Upcoming'],
    ['Show Today', "Today's Tasks"],
    ['Show Notes', 'Notes'],
  ] as const) {
    await button(page, name).tap()
    await expect(panelTitle(page)).toHaveText(title)
    await expect(button(page, name)).toHaveAttribute('aria-current', 'true')
  }
  // Done has no quick line. A double tap does the same.
  await page.keyboard.press('5')
  await expect(panelTitle(page)).toHaveText('Done')
  const { x = 0, y = 0 } = (await button(page, 'New task').boundingBox()) ?? {}
  for (let tap = 0; tap < 2; tap++) await page.touchscreen.tap(x + 10, y + 10)
  await expect(panelTitle(page)).toHaveText("Today's Tasks")
  await expect(quickLine(page)).toBeFocused()
  await expect(bar(page)).toBeHidden()
})

test('On a phone a focused search has Cancel, and the bar shows no list as current', async ({ page }) => {
  await page.goto('/dashboard?list=upcoming&search=fern')
  await expect(panelTitle(page)).toHaveText('Search results')
  await expect(bar(page)).toBeVisible()
  await expect(bar(page).locator('[aria-current=true]')).toHaveCount(0)
  await button(page, 'Show Upcoming').tap()
  await expect(panelTitle(page)).toHaveText('Upcoming')
  await expect(button(page, 'Show Upcoming')).toHaveAttribute('aria-current', 'true')
  const search = page.getByRole('searchbox', { name: 'Search' })
  const cancel = page.getByRole('button', { name: 'Cancel' })
  for (const text of ['', 'fern']) {
    await expect(cancel).toBeHidden()
    await search.tap()
    await page.keyboard.type(text)
    await expect(panelTitle(page)).toHaveText(text ? 'Search results' : 'Upcoming')
    await cancel.tap()
    await expect(search).not.toBeFocused()
    await expect(search).toHaveValue('')
    await expect(panelTitle(page)).toHaveText('Upcoming')
  }
})

test('The bar has large buttons, and is hidden where it would be in the way', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page, 'Water the plants')
  await test.step('The buttons of the bar are at least 44 px large', async () => {
    for (const name of ['Show Today', 'Show Upcoming', 'Show Notes', 'New task']) {
      const box = await button(page, name).boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
  })
  await test.step('The open drawer covers the bar and the undo bar, which works again when it is closed', async () => {
    await ring(page, 'Water the plants').tap()
    const undo = undoBar(page).getByRole('button', { name: 'Undo' })
    await expect(undo).toBeVisible()
    // An inert element is never hit, so the elements are compared as if none were inert.
    const isOnTop = () =>
      undo.evaluate((button) => {
        const { x, y, width, height } = button.getBoundingClientRect()
        const inert = [...document.querySelectorAll('[inert]')]
        for (const element of inert) element.removeAttribute('inert')
        const top = document.elementFromPoint(x + width / 2, y + height / 2)
        for (const element of inert) element.setAttribute('inert', '')
        return button.contains(top)
      })
    await expect.poll(isOnTop).toBe(true)
    await page.getByRole('button', { name: 'Open menu' }).tap()
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeFocused()
    await expect(bar(page)).toBeHidden()
    await expect.poll(isOnTop).toBe(false)
    await page.getByRole('button', { name: 'Close menu' }).tap()
    await expect(bar(page)).toBeVisible()
    await undo.tap()
    await expect(card(page, 'Water the plants')).toBeVisible()
  })
  await test.step('The bar is hidden while the on-screen keyboard is open, and from 768 px up', async () => {
    await quickLine(page).tap()
    await expect(quickLine(page)).toBeFocused()
    await expect(bar(page)).toBeHidden()
    await quickLine(page).blur()
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width: 380, height: 760 })
      await expect(bar(page)).toBeVisible()
      await page.setViewportSize({ width, height: 800 })
      await expect(panelTitle(page)).toBeVisible()
      await expect(bar(page)).toBeHidden()
    }
  })
})

test('The bar covers none of the first five cards, nor the last, nor a message', async ({ page, user }) => {
  for (let count = 0; count < 9; count++) await user.add({ title: `task ${count}` })
  await openDashboard(page, 9)
  expect(await bottomOf(cards(page).nth(4))).toBeLessThanOrEqual((await boxOf(bar(page))).y)
  // All at once, and awaited before they appear: the toast is gone after a second.
  const boxes = page.waitForFunction(() => {
    const [bar, undo, toast] = ['.phone-bar', '[data-shown=true]', '.Toastify__toast'].map((selector) =>
      document.querySelector(selector)?.getBoundingClientRect().toJSON(),
    )
    return bar && undo && toast && { bar, undo, toast }
  })
  await deleteButton(page, 'task 0').tap()
  const shown = (await (await boxes).jsonValue()) as Record<'bar' | 'undo' | 'toast', DOMRect>
  expect(shown.undo.bottom).toBeLessThanOrEqual(shown.bar.top)
  expect(shown.toast.bottom).toBeLessThanOrEqual(shown.undo.top)
  await expect(undoBar(page)).toContainText('Deleted “task 0”')
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  expect(await bottomOf(cards(page).last())).toBeLessThanOrEqual(shown.toast.top)
  // Neither does it cover the element that the keyboard focuses.
  await page.evaluate(() => window.scrollTo(0, 0))
  await editButton(page, 'task 8').focus()
  expect(await bottomOf(editButton(page, 'task 8'))).toBeLessThanOrEqual(shown.bar.top)
})

test('Three overdue tasks and those of today are shown in full, above the bar', async ({ page, user }) => {
  for (let count = 1; count < 6; count++) await user.add({ title: `task ${count}`, dueDate: day(-count) })
  for (const title of ['first', 'second']) await user.add({ title })
  await openDashboard(page, 5)
  expect(await bottomOf(cards(page).nth(4))).toBeLessThanOrEqual((await boxOf(bar(page))).y)
})

test('The undo bar says a long title on one line', async ({ page, user }) => {
  const title = 'Ask the insurance company about the water damage in the kitchen and the cellar. '
    .repeat(3)
    .trim()
  await user.add({ title })
  await openDashboard(page)
  await ring(page, title).tap()
  await expect(undoBar(page)).toContainText('Completed')
  expect((await boxOf(undoBar(page))).height).toBeLessThanOrEqual(64)
})

test('Without a network a note ends above the offline line', async ({ page, context, notes }) => {
  const { _id } = await notes.add('Ferry\nat nine')
  await page.clock.install()
  await page.goto(notePath(_id))
  await field(page).click()
  await context.setOffline(true)
  await page.keyboard.type('!')
  await expect(unsentLine(page)).toContainText('Offline: changes are kept on this device')
  const formats = page.getByRole('toolbar', { name: 'Format' })
  const spaceAbove = async (line: Locator) => (await boxOf(line)).y - (await bottomOf(formats))
  await expect.poll(() => spaceAbove(unsentLine(page))).toBeGreaterThanOrEqual(0)
  await page.clock.runFor(9000)
  await expect(unsentLine(page)).toHaveAttribute('data-count', '1')
  await expect.poll(() => spaceAbove(bar(page))).toBeGreaterThanOrEqual(0)
  expect((await boxOf(unsentLine(page))).y).toBeGreaterThan((await boxOf(bar(page))).y)
  await expect(unsentLine(page)).toContainText('1 change waiting to sync')
})
