import type { Locator, Page } from '@playwright/test'
import { editButton, openDashboard, panelTitle, sidebarButton } from './dashboard-page.ts'
import { expect, signedInTest, test } from './fixtures.ts'

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

test('The navbar is open from 992 px up and collapses below', async ({ page }) => {
  await page.setViewportSize({ width: 992, height: 700 })
  await page.goto('/')
  await expect(navbar(page).getByRole('link', { name: 'About Us' })).toBeVisible()
  await expect(openMenu(page)).toBeHidden()
  await page.setViewportSize({ width: 991, height: 700 })
  await expect(navbar(page).getByRole('link', { name: 'About Us' })).toBeHidden()
  await expect(openMenu(page)).toBeVisible()
})

test('The collapsed navbar opens, leads on, and is closed again where it led', async ({ page }) => {
  await page.setViewportSize({ width: 380, height: 700 })
  await page.goto('/')
  await openMenu(page).click()
  for (const name of ['Home', 'About Us', 'Login', 'Sign Up']) {
    await expect(navbar(page).getByRole('link', { name, exact: true })).toBeVisible()
  }
  await navbar(page).getByRole('link', { name: 'About Us' }).click()
  await expect(page).toHaveURL('/about')
  await expect(openMenu(page)).toBeVisible()
  await expect(navbar(page).getByRole('link', { name: 'About Us' })).toBeHidden()
  await openMenu(page).click()
  await closeMenu(page).click()
  await expect(navbar(page).getByRole('link', { name: 'About Us' })).toBeHidden()
})

signedInTest('The sidebar is a column from 992 px up and a drawer below', async ({ page }) => {
  await page.setViewportSize({ width: 992, height: 700 })
  await openDashboard(page)
  await expect(sidebarButton(page, 'Today')).toBeInViewport({ ratio: 1 })
  await expect(openMenu(page)).toBeHidden()
  await page.setViewportSize({ width: 991, height: 700 })
  await expect(sidebarButton(page, 'Today')).toBeHidden()
  await openMenu(page).click()
  await expect(sidebarButton(page, 'Today')).toBeInViewport({ ratio: 1 })
})

signedInTest(
  'The drawer keeps the focus inside, and Escape closes it and returns the focus',
  async ({ page }) => {
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
  },
)

signedInTest('Choosing a list in the drawer shows it and closes the drawer', async ({ page }) => {
  await page.setViewportSize({ width: 380, height: 700 })
  await openDashboard(page)
  await openMenu(page).click()
  await sidebarButton(page, 'Latest').click()
  await expect(panelTitle(page)).toHaveText('Recent')
  await expect(sidebarButton(page, 'Latest')).toBeHidden()
})

signedInTest('Collapse and fade take 300 ms', async ({ page }) => {
  await openDashboard(page)
  const collapse = await recordMoves(page)
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await expect.poll(() => collapse.evaluate(longest)).toBe(300)
  const fade = await recordMoves(page)
  await sidebarButton(page, 'Add Task').click()
  await expect.poll(() => fade.evaluate(longest)).toBe(300)
})

test('The navbar takes 300 ms to open', async ({ page }) => {
  await page.setViewportSize({ width: 380, height: 700 })
  await page.goto('/')
  const moves = await recordMoves(page)
  await openMenu(page).click()
  await expect.poll(() => moves.evaluate(longest)).toBe(300)
})

signedInTest('With reduced motion nothing moves', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openDashboard(page)
  const moves = await recordMoves(page)
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await sidebarButton(page, 'Add Task').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await moves.evaluate(longest)).toBeLessThan(1)
})

signedInTest('The breakpoints are 576, 768, 992, 1200 and 1400 px and no others', async ({ page }) => {
  const widths = new Set<number>()
  for (const path of ['/dashboard', '/about']) {
    await page.goto(path)
    for (const width of await page.evaluate(widthsInStyles)) widths.add(width)
  }
  expect(widths).toContain(992)
  for (const width of widths) expect([576, 768, 992, 1200, 1400]).toContain(width)
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

signedInTest('Every button is at least 24 px large', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page)
  await expect(editButton(page, 'Water the plants')).toBeVisible()
  expect(await smallerThan(page.getByRole('button'), 24)).toEqual([])
})

signedInTest.describe('By touch', () => {
  signedInTest.use({ hasTouch: true, isMobile: true, viewport: { width: 380, height: 700 } })

  signedInTest('edit and delete are at least 44 px large', async ({ page, user }) => {
    await user.add({ title: 'Water the plants' })
    await openDashboard(page)
    await expect(editButton(page, 'Water the plants')).toBeVisible()
    expect(await smallerThan(page.getByRole('article').getByRole('button'), 44)).toEqual([])
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
