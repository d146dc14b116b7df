import type { Page } from '@playwright/test'
import { card, cards, editButton, editDialog, openDashboard } from './dashboard-page.ts'
import { expect, test as visitorTest } from './fixtures.ts'
import { notePane, notePath, notesTest as test } from './notes-page.ts'
import type { User } from './user.ts'

const widths = [320, 380, 576, 768, 992, 1280]

const longTitle = 'Donaudampfschifffahrt'.repeat(24).slice(0, 500)
const emoji = '🌿🌵🌴🌲🌳🪴'.repeat(6)
const arabic = 'سقي النباتات في الشرفة قبل الظهر'

async function addHostileTasks(user: User) {
  await user.add({ title: longTitle, priority: 'medium', body: 'unbroken'.repeat(12_500) })
  await user.add({ title: emoji, body: emoji.repeat(40) })
  await user.add({ title: arabic, body: `${arabic}\n`.repeat(3) })
  await user.add({ title: 'Overdue', dueDate: '2020-11-30', body: 'word '.repeat(20_000) })
}

/** Nothing overflows the right edge. The space that is kept for a scrollbar counts as part of the client width. */
async function expectNoHorizontalScroll(page: Page) {
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect(beyond).toBeLessThanOrEqual(0)
}

visitorTest('The public pages and the 404 page never scroll sideways, from 320 px up', async ({ page }) => {
  for (const path of ['/', '/about', '/login', '/signup', '/nowhere']) {
    await page.goto(path)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 })
      await expectNoHorizontalScroll(page)
    }
  }
})

test('Extreme titles and bodies fit into the dashboard and its modals', async ({ page, user }) => {
  await addHostileTasks(user)
  await openDashboard(page, 4)
  await expect(card(page, arabic).getByRole('heading')).toHaveCSS('direction', 'rtl')

  await test.step('The dashboard never scrolls sideways, and nothing overlaps', async () => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 })
      await expectNoHorizontalScroll(page)
      expect(await page.evaluate(overlaps), `at ${width} px`).toEqual([])
    }
  })

  await test.step('The modals fit into 320 and 1280 px', async () => {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 600 })
      await editButton(page, longTitle).click()
      const box = await editDialog(page).boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      expect(box?.height).toBeLessThanOrEqual(600)
      await expectNoHorizontalScroll(page)
      await editDialog(page).getByRole('button', { name: 'Save' }).click()
      await expect(editDialog(page)).toBeHidden()
    }
  })

  await test.step('Unfolded, and with text at 200 %, it does not scroll sideways either', async () => {
    const unfold = page.getByRole('button', { name: 'Show more' })
    while ((await unfold.count()) > 0) await unfold.first().click()
    await page.setViewportSize({ width: 320, height: 700 })
    await expectNoHorizontalScroll(page)

    // The browser's text at 200 % (WCAG 1.4.4).
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    await page.setViewportSize({ width: 380, height: 700 })
    await expectNoHorizontalScroll(page)
  })
})

test('A dialog fits at 200 % zoom and in landscape, and the page behind stays', async ({ page, user }) => {
  await user.add({ title: 'Water the plants', body: 'The fern first.\n'.repeat(20) })
  await openDashboard(page)
  for (const [name, size] of [
    ['1280×800 at 200 % zoom', { width: 640, height: 400 }],
    ['a phone in landscape', { width: 700, height: 330 }],
  ] as const)
    await test.step(name, async () => {
      await page.setViewportSize(size)
      await editButton(page, 'Water the plants').click()
      const dialog = editDialog(page)
      for (const button of ['Save', 'Cancel', 'Close']) {
        await expect(dialog.getByRole('button', { name: button })).toBeInViewport({ ratio: 1 })
      }
      await expect(dialog.getByLabel('Title', { exact: true })).toBeInViewport({ ratio: 1 })
      // The buttons stay where they are and cover no field that has the focus.
      for (const label of ['Body', 'Due Date', 'Priority', 'Title']) {
        const field = dialog.getByLabel(label, { exact: true })
        await field.focus()
        await expect(dialog.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 })
        if (label !== 'Body') expect(await field.evaluate(isOnTop), label).toBe(true)
      }
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog).toBeHidden()
    })
  await test.step('The page does not scroll behind a dialog or the drawer', async () => {
    await page.setViewportSize({ width: 700, height: 330 })
    for (let count = 0; count < 6; count++) await user.add({ title: `task ${count}` })
    await expect(cards(page)).toHaveCount(7)
    /** By how many pixels the wheel scrolls the page here. */
    const scrolled = async (x: number) => {
      const before = await page.evaluate(() => window.scrollY)
      await page.mouse.move(x, 200)
      await page.mouse.wheel(0, 300)
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      )
      return (await page.evaluate(() => window.scrollY)) - before
    }
    await editButton(page, 'Water the plants').click()
    await expect(editDialog(page)).toBeVisible()
    // On the backdrop, then inside, where the wheel reaches the end of the dialog.
    expect(await scrolled(5)).toBe(0)
    for (let turns = 0; turns < 4; turns++) expect(await scrolled(350)).toBe(0)
    await page.keyboard.press('Escape')
    await expect(editDialog(page)).toBeHidden()
    await page.getByRole('button', { name: 'Open menu' }).click()
    expect(await scrolled(690)).toBe(0)
    for (let turns = 0; turns < 4; turns++) expect(await scrolled(100)).toBe(0)
    await page.keyboard.press('Escape')
    await expect.poll(() => scrolled(350)).toBeGreaterThan(0)
  })
})

test('Text at twice the size loses nothing and scrolls nothing sideways', async ({ page, user, notes }) => {
  const enlarge = () => page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  const note = await notes.add('Ferry')
  await user.add({ title: 'Water the plants', body: 'The fern first.' })
  await page.setViewportSize({ width: 640, height: 700 })
  for (const path of ['/dashboard', '/about']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await enlarge()
    await expectNoHorizontalScroll(page)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(notePath(note._id))
  await expect(notePane(page)).toBeVisible()
  await enlarge()
  await expect.poll(async () => (await notePane(page).boundingBox())?.width).toBeGreaterThan(300)
})

/** Whether nothing covers the middle of an element. */
function isOnTop(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element
}

/** Pairs of cards, or of boxes inside a card, that overlap, and text that overflows its box. */
function overlaps(): string[] {
  const found: string[] = []
  const name = (element: Element) => element.className || element.tagName
  const compare = (elements: Element[]) => {
    for (const [index, one] of elements.entries()) {
      for (const other of elements.slice(index + 1)) {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        if (wide > 1 && high > 1) found.push(`${name(one)} over ${name(other)}`)
      }
    }
  }
  const articles = [...document.querySelectorAll('article')]
  compare(articles)
  for (const article of articles) {
    const leaves = [...article.querySelectorAll('h2, h3, p, time, button, [data-priority]')].filter((each) =>
      each.checkVisibility(),
    )
    compare(leaves)
    const edge = article.getBoundingClientRect()
    for (const leaf of leaves) {
      const { left, right, bottom } = leaf.getBoundingClientRect()
      const leaves = left < edge.left - 1 || right > edge.right + 1 || bottom > edge.bottom + 1
      if (leaves || (leaf.scrollWidth > leaf.clientWidth + 1 && leaf.clientWidth > 0))
        found.push(`${name(leaf)} leaves its box`)
    }
  }
  return found
}
