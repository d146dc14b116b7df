import type { Locator, Page } from '@playwright/test'
import { recordCalls } from './calls.ts'
import {
  deleteButton,
  editButton,
  openDashboard,
  openList,
  sidebar,
  sidebarButton,
} from './dashboard-page.ts'
import { expect, moving, phone, test as visitorTest } from './fixtures.ts'
import { notePane, notePath, notesTest as test } from './notes-page.ts'

visitorTest.use(moving)

const openMenu = (page: Page) => page.getByRole('button', { name: 'Open menu' })
const closeMenu = (page: Page) => page.getByRole('button', { name: 'Close menu' })
const navbar = (page: Page) => page.getByRole('navigation', { name: 'Main' })

/** The durations in milliseconds of all transitions and animations that start from now on, except those of toasts. */
function recordMoves(page: Page) {
  return page.evaluateHandle(() => {
    const durations: number[] = []
    const record = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest('.Toastify')) return
      for (const { effect } of target.getAnimations({ subtree: true })) {
        durations.push(Number(effect?.getTiming().duration))
      }
    }
    document.addEventListener('transitionrun', record)
    document.addEventListener('animationstart', record)
    return durations
  })
}

const longest = (durations: number[]) => Math.max(0, ...durations)

visitorTest('The navbar is open from 992 px up, and below it opens in 300 ms', async ({ page }) => {
  const about = navbar(page).getByRole('link', { name: 'About Us' })
  await page.setViewportSize({ width: 992, height: 700 })
  await page.goto('/')
  await expect(about).toBeVisible()
  await expect(openMenu(page)).toBeHidden()
  await page.setViewportSize({ width: 991, height: 700 })
  await expect(about).toBeHidden()
  await expect(openMenu(page)).toBeVisible()

  await page.setViewportSize({ width: 380, height: 700 })
  const moves = await recordMoves(page)
  await openMenu(page).click()
  await expect.poll(() => moves.evaluate(longest)).toBe(300)
  await expect(about).toBeVisible()
  await page.mouse.click(200, 600)
  await expect(about).toBeHidden()

  await openMenu(page).click()
  for (const name of ['Home', 'About Us', 'Login', 'Sign Up']) {
    await expect(navbar(page).getByRole('link', { name, exact: true })).toBeVisible()
  }
  await about.click()
  await expect(page).toHaveURL('/about')
  await expect(openMenu(page)).toBeVisible()
  await expect(about).toBeHidden()
  await openMenu(page).click()
  await expect(about).toBeVisible()
  await closeMenu(page).click()
  await expect(about).toBeHidden()
})

test('The sidebar is a drawer below 768 px, a rail up to 991 px, then as remembered', async ({ page }) => {
  const width = async () => (await sidebar(page).boundingBox())?.width
  const toggle = (name: 'Expand' | 'Collapse') => page.getByRole('button', { name: `${name} sidebar` })
  await page.setViewportSize({ width: 768, height: 700 })
  await openDashboard(page)
  await expect(sidebarButton(page, 'Today')).toBeInViewport({ ratio: 1 })
  await expect(openMenu(page)).toBeHidden()
  await expect.poll(width).toBe(72)
  const linesOfLogout = await page.getByRole('button', { name: 'Logout' }).evaluate((button) => {
    const range = document.createRange()
    range.selectNodeContents(button.lastChild ?? button)
    return range.getClientRects().length
  })
  expect(linesOfLogout).toBe(1)
  await page.setViewportSize({ width: 767, height: 700 })
  await expect(sidebarButton(page, 'Today')).toBeHidden()
  await openMenu(page).click()
  await expect(sidebarButton(page, 'Today')).toBeInViewport({ ratio: 1 })
  await closeMenu(page).click()
  await page.setViewportSize({ width: 991, height: 700 })
  await expect.poll(width).toBe(72)
  await expect(sidebarButton(page, 'Add Task')).toBeVisible()
  await toggle('Expand').click()
  await expect.poll(width).toBe(296)
  await expect(page.getByRole('grid')).toBeVisible()
  await toggle('Collapse').click()
  await expect.poll(width).toBe(72)
  await page.setViewportSize({ width: 992, height: 700 })
  await expect.poll(width).toBe(296)
  await toggle('Collapse').click()
  await page.reload()
  await expect.poll(width).toBe(72)
})

test('The drawer keeps the focus, and is closed by Escape and the choice of a list', async ({ page }) => {
  await page.setViewportSize({ width: 380, height: 700 })
  await openDashboard(page)
  await openMenu(page).focus()
  await page.keyboard.press('Enter')
  await expect(closeMenu(page)).toBeFocused()
  for (let stops = 0; stops < 20; stops++) {
    await page.keyboard.press('Tab')
    const outside = await page.evaluate(() => {
      const active = document.activeElement as HTMLElement
      return active === document.body || active.closest('aside, .Toastify') ? undefined : active.outerHTML
    })
    expect(outside).toBeUndefined()
  }
  await page.keyboard.press('Escape')
  await expect(sidebarButton(page, 'Today')).toBeHidden()
  await expect(openMenu(page)).toBeFocused()
  await openMenu(page).click()
  await openList(page, 'Latest')
  await expect(sidebarButton(page, 'Latest')).toBeHidden()
})

test('Collapse and fade take 300 ms, and with reduced motion nothing moves', async ({ page }) => {
  const dialog = page.getByRole('dialog')
  const toggle = (name: 'Expand' | 'Collapse') => page.getByRole('button', { name: `${name} sidebar` })
  const closeDialog = async () => {
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await openDashboard(page)
  const collapse = await recordMoves(page)
  await toggle('Collapse').click()
  await expect.poll(() => collapse.evaluate(longest)).toBe(300)
  const fade = await recordMoves(page)
  await sidebarButton(page, 'Add Task').click()
  await expect.poll(() => fade.evaluate(longest)).toBe(300)
  await closeDialog()

  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moves = await recordMoves(page)
  await toggle('Expand').click()
  await expect(toggle('Collapse')).toBeVisible()
  await sidebarButton(page, 'Add Task').click()
  await closeDialog()
  expect(await moves.evaluate(longest)).toBeLessThan(1)
})

test('The breakpoints are 576, 768, 992, 1200 and 1400 px and no others', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  const widths = new Set<number>()
  for (const path of ['/dashboard', '/about']) {
    await page.goto(path)
    for (const width of await page.evaluate(widthsInStyles)) widths.add(width)
  }
  expect(widths).toContain(992)
  expect(widths.difference(new Set([576, 768, 992, 1200, 1400]))).toEqual(new Set())
  await openDashboard(page)
  await test.step('Every button is at least 24 px large', async () => {
    await expect(editButton(page, 'Water the plants')).toBeVisible()
    expect(await smallerThan(page.getByRole('button'), 24)).toEqual([])
  })
  const listWidth = async () => (await page.locator('.panel').boundingBox())?.width ?? 0
  await page.setViewportSize({ width: 1399, height: 800 })
  const narrow = await listWidth()
  await page.setViewportSize({ width: 1400, height: 800 })
  expect(await listWidth()).toBeGreaterThan(narrow)
})

/** The visible buttons that are narrower or lower than this. */
const smallerThan = (buttons: Locator, size: number) =>
  buttons.evaluateAll(
    (all, least) =>
      all
        .map((button) => ({
          name: button.ariaLabel ?? button.textContent,
          box: button.getBoundingClientRect(),
        }))
        .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < least)
        .map(({ name, box }) => `${name} ${box.width}x${box.height}`),
    size,
  )

const phoneTest = test.extend(phone)

phoneTest('Buttons are 44 px large, and a tap beside the drawer hits none', async ({ page, user, notes }) => {
  await user.add({ title: 'Water the plants' })
  const calls = recordCalls(page)
  await openDashboard(page)
  const edit = editButton(page, 'Water the plants')
  await expect(edit).toBeVisible()
  expect(await smallerThan(page.getByRole('article').getByRole('button'), 44)).toEqual([])
  await test.step('A tap outside closes the drawer and touches nothing behind it', async () => {
    const place = await deleteButton(page, 'Water the plants').boundingBox()
    await openMenu(page).tap()
    await expect(closeMenu(page)).toBeFocused()
    await page.touchscreen.tap((place?.x ?? 0) + 30, (place?.y ?? 0) + 20)
    await expect(closeMenu(page)).toBeHidden()
    await expect(openMenu(page)).toBeFocused()
    expect(calls.filter(({ call }) => call.startsWith('DELETE'))).toEqual([])
  })
  await test.step('The one that was tapped last does not look as if a pointer were over it', async () => {
    await edit.tap()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(edit).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  })
  await test.step('The tools of a note, and of a deleted one, are at least 44 px large', async () => {
    const { _id: id } = await notes.add('Ferry')
    const tools = notePane(page).locator('.note-toolbar').locator('button, a').filter({ visible: true })
    await page.goto(notePath(id))
    await expect(tools).toHaveCount(2)
    expect(await smallerThan(tools, 44)).toEqual([])
    await notes.change(id, { deleted: true })
    await page.reload()
    await expect(tools).toHaveCount(3)
    expect(await smallerThan(tools, 44)).toEqual([])
  })
})

/** The widths in px of every media query that is loaded. */
function widthsInStyles(): number[] {
  const found: number[] = []
  const read = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule) {
        for (const [, width] of rule.conditionText.matchAll(/width[^)]*?([\d.]+)px/g))
          found.push(Number(width))
      }
      if ('cssRules' in rule) read(rule.cssRules as CSSRuleList)
    }
  }
  for (const sheet of document.styleSheets) read(sheet.cssRules)
  return found
}
